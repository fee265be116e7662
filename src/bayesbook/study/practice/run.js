// A run: the questions that were drawn, one after the other.
//
// What is answered counts for the quiz of its chapter. Of a question a run
// knows its outcome: "" if it was not answered, "once" if the first answer was
// right, "later" if another was, else "wrong".

const minutesAndSeconds = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;

// Nothing stops when the time is up.
function clockWords({ kind, minutes }, seconds) {
  if (kind === "none") return "";
  if (kind === "used") return `${minutesAndSeconds(seconds)} used`;
  const left = 60 * minutes - seconds;
  if (left >= 0) return `${minutesAndSeconds(left)} left`;
  return `${minutesAndSeconds(-left)} over time`;
}

function makeItem({ chapter, id, form }, at, total, changed) {
  const item = { chapter, id, form, outcome: "" };
  const name = `bayesbook:quiz:${chapter}`;
  form.querySelector("legend span").textContent = `Question ${at} of ${total}`;
  for (const aside of form.querySelectorAll(
    ":is(.quiz-actions, summary) .quiz-aside",
  )) {
    aside.textContent = aside.textContent.replace(/\d+/, at);
  }
  const question = makeQuestion(form, () => {
    const { state } = form.dataset;
    if (state) form.dataset.judged = "true";
    if (state === "wrong") item.outcome ||= "wrong";
    if (state === "right") {
      const next = { "": "once", wrong: "later" };
      item.outcome = next[item.outcome] ?? item.outcome;
    }
    remember(name, { [id]: question.saved() });
    changed();
  });
  // It goes on with what is known of it, but nothing is given yet.
  const known = recall(name)[id];
  if (known) question.resume({ ...known, given: null });
  form.addEventListener("input", () => changed());
  return item;
}

function beginRun(view, drawn, clock, finish) {
  const find = (css) => view.querySelector(css);
  const [before, next, end] = ["before", "next", "end"].map((name) =>
    find(`.practice-${name}`),
  );
  const items = drawn.map((each, at) =>
    makeItem(each, at + 1, drawn.length, show),
  );
  const pips = items.map(() => document.createElement("i"));
  const begun = performance.now();
  const used = () => Math.floor((performance.now() - begun) / 1000);
  let current = 0;

  function show() {
    const last = current === items.length - 1;
    const { outcome } = items[current];
    before.disabled = current === 0;
    next.textContent = outcome ? "Next question" : "Skip";
    if (last) next.textContent = "See the result";
    end.hidden = last;
    items.forEach(({ form, outcome }, at) => {
      form.hidden = at !== current;
      pips[at].className = { "": "", wrong: "wrong" }[outcome] ?? "right";
    });
    const right = items.filter(({ outcome }) => /once|later/.test(outcome));
    const words = `${right.length} of ${items.length} right`;
    const score = find(".quiz-score");
    if (score.textContent !== words) score.textContent = words;
  }

  function goTo(at) {
    current = at;
    show();
    // The name of the group is the question, so a screen reader says it.
    const group = items[at].form.querySelector("fieldset");
    group.tabIndex = -1;
    group.focus();
  }

  function tickOn() {
    const words = clockWords(clock, used());
    find(".practice-clock").textContent = words;
    const isUp = words.endsWith("over time");
    const called = isUp ? "The time is up. Take the time that you need." : "";
    if (find(".practice-called").textContent !== called) {
      find(".practice-called").textContent = called;
    }
  }

  function stop() {
    clearInterval(ticking);
    finish(items, clock.kind === "none" ? null : used());
  }

  before.onclick = () => goTo(current - 1);
  next.onclick = () =>
    current < items.length - 1 ? goTo(current + 1) : stop();
  end.onclick = stop;
  find(".quiz-pips").replaceChildren(...pips);
  find(".practice-stage").replaceChildren(...items.map(({ form }) => form));
  const ticking = clock.kind === "none" ? null : setInterval(tickOn, 1000);
  tickOn();
  return { start: () => goTo(0), cancel: () => clearInterval(ticking) };
}
