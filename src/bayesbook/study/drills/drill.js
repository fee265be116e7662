// A drill: one question, and after it any number of others from banks.
//
// A bank is a script with some questions. The first click fetches one of a
// drill's banks, and another one is fetched when its questions are used up.
// Drills of a page share their banks, so that none repeats what another has
// shown; `left` are the questions of a bank that none has shown yet.

// Scripts that are asked for together run in that order.
function fetchScript(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.async = false;
    script.src = address;
    script.addEventListener("load", resolve);
    script.addEventListener("error", reject);
    document.head.append(script);
  });
}

// The formulas of a page were typeset when it was built, those of a bank are
// TeX; the one script typesets them, the other finds them.
async function fetchTypesetter(folder) {
  const scripts = ["katex.min.js", "auto-render.min.js"];
  if (window.renderMathInElement) return;
  await Promise.all(scripts.map((name) => fetchScript(`${folder}/${name}`)));
}

function shuffled(length) {
  const order = [...Array(length).keys()];
  for (let last = length - 1; last > 0; last--) {
    const at = Math.floor(Math.random() * (last + 1));
    [order[last], order[at]] = [order[at], order[last]];
  }
  return order;
}

const pick = (choices) => choices[shuffled(choices.length)[0]];

const shown = (window.bayesbookShown ??= new Set()); // names of questions

function renew(bank) {
  const isNew = (place) => !shown.has(bank.names[place]);
  bank.left = shuffled(bank.questions.length).filter(isNew);
}

// When all have been shown they begin anew, without what is on the page.
function beginAnew(banks) {
  const isHere = (name) => document.getElementById(name);
  const gone = banks.flatMap((bank) => bank.names).filter((n) => !isHere(n));
  gone.forEach((name) => shown.delete(name));
  banks.forEach(renew);
}

async function fetchBank(names, folder) {
  const banks = (window.bayesbookDrills ??= {});
  const isUsedUp = (name) => banks[name]?.left?.length === 0;
  if (names.every(isUsedUp)) beginAnew(names.map((name) => banks[name]));
  const open = names.filter((name) => !isUsedUp(name));
  const name = open.find((name) => banks[name]) ?? pick(open);
  if (!banks[name]) await fetchScript(`${folder}/${name}.js`);
  if (!banks[name].left) renew(banks[name]);
  // All of its questions may have been on the page from the start.
  return isUsedUp(name) ? fetchBank(names, folder) : banks[name];
}

function writtenForm(bank, place) {
  const template = document.createElement("template");
  template.innerHTML = bank.questions[place]
    .map((part) => bank.parts[part])
    .join("");
  return template.content.firstElementChild;
}

// The page knows where sections are; a notebook does not.
function linkSection(form, sections) {
  const line = form.querySelector(".quiz-read");
  const [address, title] = sections[line?.dataset.section] ?? [];
  if (!address) return line?.remove();
  line.replaceChildren(...readAgain(address, title));
}

// Of a kind one record is kept. The first answer to a question decides.
function noted(root, isRight) {
  const name = `bayesbook:drill:${root.dataset.drill}`;
  const old = recall(name).all ?? {};
  const record = {
    ...scheduled(old, isRight, today()),
    version: root.dataset.drill,
    tries: (old.tries ?? 0) + 1,
    solved: (old.solved ?? 0) + isRight,
    given: null,
  };
  remember(name, { all: record });
}

function beginDrill(root) {
  root.dataset.live = "true";
  const find = (css) => root.querySelector(css);
  const status = find(".drill-status");
  const banks = root.dataset.banks?.split(" ");
  const sections = JSON.parse(root.dataset.sections ?? "{}");

  function beginQuestion(form) {
    linkSection(form, sections);
    let isNoted = false;
    const question = makeQuestion(form, () => {
      if (!isNoted) noted(root, question.score().solved);
      isNoted = true;
    });
  }

  async function another() {
    try {
      const [bank] = await Promise.all([
        fetchBank(banks, root.dataset.folder),
        fetchTypesetter(root.dataset.katex),
      ]);
      const form = writtenForm(bank, bank.left.pop());
      shown.add(form.id);
      typeset(form);
      find("form").replaceWith(form);
      beginQuestion(form);
      status.textContent = "";
      // The name of the group is the question, so a screen reader says it.
      const group = form.querySelector("fieldset");
      group.tabIndex = -1;
      group.focus();
    } catch {
      status.textContent = "The other questions cannot be loaded.";
    }
  }

  shown.add(find("form").id);
  beginQuestion(find("form"));
  keepKeys(root);
  if (!banks) return;
  find(".drill-hint").hidden = true;
  find(".drill-more").hidden = false;
  find(".drill-next").addEventListener("click", another);
}

document
  .querySelectorAll(".bayesbook-drill:not([data-live])")
  .forEach((root) => beginDrill(root));
