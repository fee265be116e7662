// The result of a run by topic, and where to look at what was not right.

const OUTCOMES = [["once"], ["later"], ["wrong", ""]];

function element(name, content, attributes = {}) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...[content].flat());
  return made;
}

function summary(items, seconds) {
  const count = (outcome) =>
    items.filter((item) => item.outcome === outcome).length;
  const later = count("later") ? `, ${count("later")} more later` : "";
  const skipped = count("") ? `, ${count("")} not answered` : "";
  const time =
    seconds === null ? "" : ` Time used: ${minutesAndSeconds(seconds)}.`;
  return (
    `${count("once")} of ${items.length} right at once${later}${skipped}.` +
    time
  );
}

function topicRow({ title, page }, items) {
  const topic = element("a", title, { href: page });
  const counts = OUTCOMES.map((outcomes) =>
    items.filter((item) => outcomes.includes(item.outcome)).length,
  );
  return element("tr", [
    element("th", topic, { scope: "row" }),
    ...counts.map((count) => element("td", String(count))),
  ]);
}

// The section that teaches it, if the question names one that there is.
function sectionToRead([href, title] = []) {
  return href ? [element("p", readAgain(href, title))] : [];
}

// The question's first paragraph says which it was.
function missedEntry(item, at, { title, page }, section) {
  const { chapter, id, form, outcome } = item;
  const href = `${page}#quiz-${chapter.replaceAll("_", "-")}-${id}`;
  const words = {
    later: "right later",
    wrong: "not right",
    "": "not answered",
  };
  const first = form.querySelector(".quiz-prompt p").cloneNode(true);
  for (const picture of first.querySelectorAll("svg")) picture.remove();
  first.className = "practice-prompt";
  return element("li", [
    element("p", [
      element("strong", `Question ${at}, ${words[outcome]}: `),
      element("a", `its place in the quiz on “${title}”`, { href }),
    ]),
    first,
    ...sectionToRead(section),
  ]);
}

// `pages` has the title and the address of each chapter, in their order;
// `sectionOf` gives those of the section that teaches a question.
function showResult(view, items, seconds, pages, sectionOf) {
  const find = (css) => view.querySelector(css);
  find(".practice-summary").textContent = summary(items, seconds);
  const rows = Object.entries(pages).flatMap(([chapter, page]) => {
    const own = items.filter((item) => item.chapter === chapter);
    return own.length ? [topicRow(page, own)] : [];
  });
  find("tbody").replaceChildren(...rows);
  const missed = items.flatMap((item, at) =>
    item.outcome === "once"
      ? []
      : [missedEntry(item, at + 1, pages[item.chapter], sectionOf(item))],
  );
  find(".practice-missed").hidden = !missed.length;
  find(".practice-retry").hidden = !missed.length;
  find(".practice-list").replaceChildren(...missed);
}
