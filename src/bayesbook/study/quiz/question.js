// A question that answers: what is chosen is judged, and the reason shown.
//
// Each kind of question is four functions: what is given, how to put it back
// after a reload, how to clear it, and how to judge it. To judge is to say
// whether it is right, in which words, and which reasons to reveal.

const KINDS = {
  single: {
    given: (form) => chosen(form)[0] ?? null,
    restore: (form, given) => choose(form, [given]),
    clear: (form) => choose(form, []),
    nothing: "Choose an option first.",
    judge: (given, key) =>
      key.right[given]
        ? right("Right.", [given])
        : wrong("Not this one.", [given]),
  },

  multiple: {
    given: (form) => (chosen(form).length ? chosen(form) : null),
    restore: choose,
    clear: (form) => choose(form, []),
    nothing: "Choose at least one option first.",
    judge(given, key) {
      const hits = given.filter((at) => key.right[at]).length;
      const missing = key.right.filter(Boolean).length - hits;
      if (hits === given.length && !missing) {
        return right("Right: these, and no others.", given);
      }
      const share =
        given.length === 1
          ? `The one you chose is ${hits ? "right" : "wrong"}.`
          : `${hits} of the ${given.length} you chose ` +
            `${hits === 1 ? "is" : "are"} right.`;
      const hint = missing ? " At least one more is right." : "";
      return wrong(
        `Not yet. ${share}${hits ? hint : ""}`,
        given.filter((at) => !key.right[at]),
      );
    },
  },

  number: {
    given: (form) => box(form).value.trim() || null,
    restore: (form, given) => (box(form).value = given),
    clear: (form) => (box(form).value = ""),
    nothing: "Type a number first.",
    judge(given, key) {
      const value = readNumber(given, key.unit);
      if (value === null) {
        return note(
          "This cannot be read as one number. Write it like 0.25, 1/4, 25% " +
            "or 2.5e-1, and thousands without a comma.",
        );
      }
      if (agrees(value, key.answer, key.tolerance)) return right("Right.", [0]);
      const far = key.wrong.map((known) => Math.abs(value - known));
      const at = far.indexOf(Math.min(...far));
      if (agrees(value, key.wrong[at], key.tolerance)) {
        return wrong("Not this value.", [at + 1]);
      }
      const share = key.unit ? null : readNumber(`${given}%`);
      const meant = (known) => agrees(share, known, key.tolerance);
      if (share !== null && [key.answer, ...key.wrong].some(meant)) {
        return wrong(
          `Not this value. If you mean per cent, type the sign: ${given}%.`,
        );
      }
      return wrong(
        "Not this value. Write down what is given and what is asked for, " +
          "and compute once more.",
      );
    },
  },

  order: {
    given: (form) => steps(form).map((step) => Number(step.dataset.step)),
    restore: arrange,
    // Trying again starts from the order that has been reached.
    clear: () => {},
    judge(given, key) {
      const places = given.map((step) => key.places[step]);
      const miss = places.findIndex((place, at) => place !== at);
      if (miss < 0) return right("Right, in this order.", [0]);
      if (miss === 0) return wrong("Not yet. Another one comes first.");
      const stand = miss === 1 ? "The first stands" : `The first ${miss} stand`;
      return wrong(`Not yet. ${stand} right; look at what comes next.`);
    },
  },
};

const right = (words, reasons = []) => ({ state: "right", words, reasons });
const wrong = (words, reasons = []) => ({ state: "wrong", words, reasons });
const note = (words) => ({ state: "note", words, reasons: [] });
const SIGNS = { right: "✓", wrong: "✗" };

// --- controls ---------------------------------------------------------------

const inputs = (form) => [...form.querySelectorAll(".quiz-option input")];
const chosen = (form) =>
  inputs(form)
    .filter((input) => input.checked)
    .map((input) => Number(input.value));
const box = (form) => form.querySelector(".quiz-number input");
const steps = (form) => [...form.querySelectorAll(".quiz-step")];

function choose(form, given) {
  for (const input of inputs(form)) {
    input.checked = given.includes(Number(input.value));
  }
}

function arrange(form, order) {
  const list = form.querySelector(".quiz-steps");
  const byName = new Map(steps(form).map((s) => [Number(s.dataset.step), s]));
  if (new Set(order).size !== byName.size) return;
  list.append(...order.map((name) => byName.get(name)));
  showEnds(form);
}

function showEnds(form) {
  const all = steps(form);
  all.forEach((step, at) => {
    step.querySelector("[data-move='-1']").disabled = at === 0;
    step.querySelector("[data-move='1']").disabled = at === all.length - 1;
  });
}

function move(form, button) {
  const step = button.closest(".quiz-step");
  if (button.dataset.move === "1") step.nextElementSibling.after(step);
  else step.previousElementSibling.before(step);
  showEnds(form);
  // The browser drops the focus of what is moved; at an end of the list the
  // button has no further use, and its neighbour takes over.
  const usable = step.querySelector(".quiz-move:not(:disabled)");
  (button.disabled ? usable : button).focus();
  const at = steps(form).indexOf(step) + 1;
  form.querySelector(".quiz-moved").textContent =
    `Now in place ${at} of ${steps(form).length}.`;
}

// --- names ------------------------------------------------------------------
//
// What names a control becomes plain text. There a browser leaves formulas out,
// or joins their texts: "1 52" for the fraction.

const grouped = (words) => (words.includes(" ") ? `(${words})` : words);
const WORDS = {
  semantics: ([formula]) => formula, // and not its TeX
  mfrac: (parts) => parts.map(grouped).join(" over "),
  msqrt: (parts) => `root of ${grouped(parts.join(" "))}`,
  msup: (parts) => parts.map(grouped).join(" superscript "),
  msubsup: ([base, index, power]) =>
    `${grouped(base)} ${index} superscript ${grouped(power)}`,
};

function spoken(node) {
  if (!node.children.length) return node.textContent;
  const parts = [...node.children].map(spoken);
  return WORDS[node.localName]?.(parts) ?? parts.filter(Boolean).join(" ");
}

function nameFormulas(form) {
  const naming = ":is(.quiz-prompt, .quiz-text) math";
  for (const math of form.querySelectorAll(naming)) {
    math.setAttribute("aria-label", spoken(math));
  }
}

// --- one question -----------------------------------------------------------

function makeQuestion(form, changed) {
  const kind = KINDS[form.dataset.kind];
  const key = JSON.parse(atob(form.dataset.key));
  const find = (css) => form.querySelector(css);
  const [check, again, verdict, answer] = [
    find(".quiz-check"),
    find(".quiz-again"),
    find(".quiz-verdict"),
    find(".quiz-answer"),
  ];
  const start = form.dataset.kind === "order" ? kind.given(form) : null;
  const fresh = () => ({ tries: 0, solved: false, given: null });
  let record = fresh();

  function display({ state, words, reasons }, given) {
    form.dataset.state = state;
    const sign = document.createElement("span");
    sign.setAttribute("aria-hidden", "true");
    sign.textContent = SIGNS[state] ?? "";
    verdict.replaceChildren(...(SIGNS[state] ? [sign, " "] : []), words);
    for (const reason of form.querySelectorAll(".quiz-reason")) {
      reason.hidden = !reasons.includes(Number(reason.dataset.reason));
    }
    for (const input of inputs(form)) {
      const at = Number(input.value);
      const marked = SIGNS[state] && [given].flat().includes(at);
      const mark = key.right[at] ? "right" : "wrong";
      const option = input.closest(".quiz-option");
      option.dataset.mark = marked ? mark : "";
      option.querySelector(".quiz-mark").textContent = marked
        ? SIGNS[mark]
        : "";
      option.querySelector(".quiz-aside").textContent = marked
        ? `, ${mark}`
        : "";
    }
    box(form)?.setAttribute("aria-invalid", String(state === "note"));
    const judged = state === "right" || state === "wrong";
    again.hidden = !judged;
    check.setAttribute("aria-disabled", String(judged));
    // A button that goes takes the focus with it: under the keyboard it stays
    // until the focus moves on.
    check.hidden = judged && !check.matches(":focus-visible");
    answer.hidden = record.tries === 0 && !answer.matches(".quiz-worked");
    // Hints stay while the reader tries again.
    for (const hint of form.querySelectorAll(".quiz-hint")) {
      const isDue = record.tries >= Number(hint.dataset.tries);
      hint.hidden = record.solved || !isDue;
    }
  }

  const silence = () => display({ state: "", words: "", reasons: [] }, null);

  function submit() {
    if (check.getAttribute("aria-disabled") === "true") return;
    const given = kind.given(form);
    if (given === null) return display(note(kind.nothing), null);
    const judgement = kind.judge(given, key);
    if (judgement.state === "note") return display(judgement, given);
    const isRight = judgement.state === "right";
    record = scheduled({ ...record, given }, isRight, today());
    if (!record.solved) {
      record.tries += 1;
      record.solved = isRight;
    }
    display(judgement, given);
    changed();
  }

  function tryAgain(event) {
    // The button stands where "Check" was: a double click there is not meant.
    if (event.detail > 1) return;
    kind.clear(form);
    record.given = null;
    silence();
    changed();
    const first = find(".quiz-option input, .quiz-number input");
    (first ?? find(".quiz-move:not(:disabled)")).focus();
  }

  function reset() {
    record = fresh();
    if (start) arrange(form, start);
    else kind.clear(form);
    silence();
    answer.open = false;
    find(".quiz-moved")?.replaceChildren();
  }

  function resume(saved) {
    if (saved?.version !== form.dataset.version) return;
    const { tries, solved, given, box, due } = saved;
    record = { tries, solved, given, box, due };
    if (given === null) return silence();
    // What is due is asked anew: the answer of then would tell.
    if (due !== undefined && isDue(saved, today())) {
      const words = "Asked again: you answered this on an earlier day.";
      return display({ state: "", words, reasons: [] }, null);
    }
    kind.restore(form, given);
    display(kind.judge(given, key), given);
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  // What was said holds for what was given then, and not for a new choice.
  form.addEventListener("input", () => form.dataset.state && silence());
  again.addEventListener("click", tryAgain);
  check.addEventListener("blur", () => (check.hidden = !again.hidden));
  for (const button of form.querySelectorAll(".quiz-move")) {
    button.addEventListener("click", () => {
      move(form, button);
      silence();
    });
  }
  for (const part of form.querySelectorAll(".quiz-actions, .quiz-moves")) {
    part.hidden = false;
  }
  nameFormulas(form);
  // In a notebook they are typeset later.
  const observer = new MutationObserver(() => nameFormulas(form));
  observer.observe(form, { childList: true, subtree: true });
  if (start) showEnds(form);
  reset();

  return {
    id: form.dataset.id,
    reset,
    resume,
    score: () => record,
    saved: () => ({ ...record, version: form.dataset.version }),
  };
}

// JupyterLab would take plain keys pressed here, such as the arrows that go
// from option to option, for commands to the notebook.
function keepKeys(root) {
  root.addEventListener("keydown", (event) => {
    if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      event.stopPropagation();
    }
  });
}
