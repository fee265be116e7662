// A drill: one question, and after it any number of others from a bank.
//
// A bank is a script that is fetched when it is first asked for. It is shared
// by all drills of its kind on a page, so that none repeats what another has
// shown; `left` are the questions that nobody has shown yet.

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

async function fetchBank(kind, address) {
  const banks = (window.bayesbookDrills ??= {});
  if (!banks[kind]) await fetchScript(address);
  return banks[kind];
}

// The formulas of a page were typeset when it was built, those of a bank are
// TeX; the one script finds them, the other typesets them.
async function fetchTypesetter(folder) {
  const scripts = ["katex.min.js", "auto-render.min.js"];
  if (!window.renderMathInElement) {
    await Promise.all(scripts.map((name) => fetchScript(`${folder}/${name}`)));
  }
  return (node) =>
    window.renderMathInElement(node, { ignoredClasses: ["tex2jax_ignore"] });
}

function shuffled(length) {
  const order = [...Array(length).keys()];
  for (let last = length - 1; last > 0; last--) {
    const at = Math.floor(Math.random() * (last + 1));
    [order[last], order[at]] = [order[at], order[last]];
  }
  return order;
}

function writtenForm(bank, place) {
  const template = document.createElement("template");
  template.innerHTML = bank.questions[place]
    .map((part) => bank.parts[part])
    .join("");
  return template.content.firstElementChild;
}

// When all have been shown it begins anew, without what is on the page.
function nextForm(bank) {
  if (!bank.left?.length) {
    const isNew = (place) => !document.getElementById(bank.names[place]);
    bank.left = shuffled(bank.questions.length).filter(isNew);
  }
  return writtenForm(bank, bank.left.pop());
}

function beginDrill(root) {
  root.dataset.live = "true";
  const find = (css) => root.querySelector(css);
  const status = find(".drill-status");
  const keepNothing = () => {};

  async function another() {
    try {
      const [bank, typeset] = await Promise.all([
        fetchBank(root.dataset.drill, root.dataset.bank),
        fetchTypesetter(root.dataset.katex),
      ]);
      const form = nextForm(bank);
      typeset(form);
      find("form").replaceWith(form);
      makeQuestion(form, keepNothing);
      status.textContent = "";
      // The group's name is the question: whoever listens hears it.
      const group = form.querySelector("fieldset");
      group.tabIndex = -1;
      group.focus();
    } catch {
      status.textContent = "The other questions cannot be loaded.";
    }
  }

  makeQuestion(find("form"), keepNothing);
  keepKeys(root);
  if (!root.dataset.bank) return;
  find(".drill-hint").hidden = true;
  find(".drill-more").hidden = false;
  find(".drill-next").addEventListener("click", another);
}

document
  .querySelectorAll(".bayesbook-drill:not([data-live])")
  .forEach((root) => beginDrill(root));
