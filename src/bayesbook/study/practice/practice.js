// The page Practice: its choice, a run with its result, and a worksheet.

async function begin(root) {
  root.dataset.live = "true";
  const find = (css) => root.querySelector(css);
  const all = (css) => [...root.querySelectorAll(css)];
  const view = (name) => find(`[data-view=${name}]`);
  const status = find(".practice-status");
  const form = find(".practice-choice");
  const choice = choiceForm(form);
  const pages = Object.fromEntries(
    choice.ticks("chapter").map((box) => [box.value, box.dataset]),
  );
  const sections = JSON.parse(root.dataset.sections);
  let index, run, last;

  function showView(name, focused) {
    if (name !== "run") run?.cancel();
    for (const each of all("[data-view]")) {
      each.hidden = each.dataset.view !== name;
    }
    root.dataset.shown = name;
    if (focused) {
      const place = view(name).querySelector(focused);
      place.focus();
    }
  }

  function update() {
    const now = choice.read();
    const count = Object.values(poolOf(index, now)).flat().length;
    const refused = refusal(now, count);
    find(".practice-count").textContent =
      refused || countWords(now.size, count);
    for (const button of all("[type=submit].practice-main, .practice-make")) {
      button.disabled = Boolean(refused);
    }
    find(".practice-minutes").hidden = form.elements.clock.value !== "left";
  }

  // The questions of a choice in their order, with what the banks have of each.
  async function fetchDrawn(asked, things) {
    status.textContent = "The questions are being fetched.";
    try {
      const drawn = drawEvenly(poolOf(index, asked), asked.size, asked.seed);
      const chapters = drawn.map(([chapter]) => chapter);
      const [banks] = await Promise.all([
        fetchBanks(root.dataset.banks, chapters),
        fetchTypesetter(root.dataset.katex),
      ]);
      status.textContent = "";
      return drawn.map(([chapter, id]) => {
        const made = things.map((what) => written(banks[chapter], id, what));
        made.forEach(typeset);
        return { chapter, id, made };
      });
    } catch {
      status.textContent = "The questions cannot be loaded.";
      return null;
    }
  }

  function readClock() {
    const { clock, minutes } = form.elements;
    return { kind: clock.value, minutes: Math.max(1, Number(minutes.value)) };
  }

  function sectionOf({ chapter, id }) {
    const [, , label] = index[chapter].questions[id];
    return sections[label];
  }

  function finish(items, seconds) {
    last = items;
    showResult(view("result"), items, seconds, pages, sectionOf);
    showView("result", ".quiz-title");
  }

  function startRun(questions) {
    run?.cancel();
    run = beginRun(view("run"), questions, readClock(), finish);
    showView("run");
    run.start();
  }

  async function practise() {
    const asked = choice.read();
    choice.writeAddress();
    const drawn = await fetchDrawn(asked, ["form"]);
    if (drawn) {
      startRun(drawn.map(({ made: [form], ...each }) => ({ ...each, form })));
    }
  }

  // The same questions, as if they had not been seen.
  async function retry() {
    const missed = last.filter(({ outcome }) => outcome !== "once");
    await fetchTypesetter(root.dataset.katex);
    const fresh = missed.map(({ chapter, id }) => {
      const form = written(window.bayesbookPractice[chapter], id, "form");
      typeset(form);
      return { chapter, id, form };
    });
    startRun(fresh);
  }

  async function makeSheet() {
    const asked = choice.read();
    choice.writeAddress();
    const drawn = await fetchDrawn(asked, ["sheet", "answer"]);
    if (!drawn) return;
    const [questions, answers] = [0, 1].map((at) =>
      drawn.map(({ made }) => made[at]),
    );
    find(".sheet-questions").replaceChildren(...questions);
    find(".sheet-answers").replaceChildren(...answers);
    const isAll = asked.chapters.length === choice.all.chapters.length;
    const topics = asked.chapters.map((chapter) => index[chapter].topic);
    const { textContent } = form.elements.which.selectedOptions[0];
    const which = asked.which === "all" ? "" : ` Only ${textContent}.`;
    const number = counted(drawn.length);
    for (const head of all(".sheet-selection")) {
      head.textContent =
        `Chapters: ${isAll ? "all" : topics.join(", ")}. ` +
        `Levels: ${asked.levels.join(", ")}.${which} ` +
        `${number}, seed ${Number(asked.seed)}.`;
    }
    // Python knows nothing of what a reader has answered.
    find(".sheet-made").hidden = asked.which !== "all";
    find(".sheet-call").textContent = pythonOf(asked, choice.all, drawn.length);
    showView("sheet", ".sheet-title");
  }

  function reseed() {
    form.elements.seed.value = newSeed();
    changed();
  }

  function changed() {
    choice.showParts();
    update();
    choice.writeAddress();
  }

  function goBack() {
    update();
    showView("choice", ".practice-main");
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    practise();
  });
  form.addEventListener("input", (event) => {
    const part = event.target.closest(".practice-part");
    if (event.target.matches(".practice-whole")) {
      const own = part.querySelectorAll("[name=chapter]");
      choice.tick(own, () => event.target.checked);
    }
    changed();
  });
  for (const button of all("[data-tick]")) {
    button.addEventListener("click", () => {
      choice.tick(choice.ticks("chapter"), () => button.dataset.tick === "all");
      changed();
    });
  }
  const pressed = {
    ".practice-reseed": reseed,
    ".practice-make": makeSheet,
    ".sheet-print": () => window.print(),
    ".practice-retry": retry,
    ".practice-others": () => {
      reseed();
      practise();
    },
  };
  for (const [css, act] of Object.entries(pressed)) {
    find(css).addEventListener("click", act);
  }
  for (const button of all(".practice-back")) {
    button.addEventListener("click", goBack);
  }
  addEventListener("hashchange", () => {
    if (!choice.isOurs()) return;
    choice.readAddress();
    goBack();
  });

  try {
    index = await fetchIndex(root.dataset.banks);
  } catch {
    status.textContent = "The questions cannot be loaded.";
    return;
  }
  form.elements.seed.value = newSeed();
  if (choice.isOurs()) choice.readAddress();
  choice.showParts();
  update();
  showView("choice");
}

document
  .querySelectorAll(".bayesbook-practice:not([data-live])")
  .forEach((root) => begin(root));
