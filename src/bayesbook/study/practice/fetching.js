// What lies beside the page, fetched when it is first needed, and then kept.

const fetched = new Map();

function fetchOnce(address, element) {
  const fetching = new Promise((resolve, reject) => {
    element.addEventListener("load", resolve);
    element.addEventListener("error", () => {
      fetched.delete(address);
      reject(new Error(address));
    });
    document.head.append(element);
  });
  fetched.set(address, fetching);
  return fetching;
}

// Scripts that are asked for together run in that order.
function fetchScript(src) {
  const script = document.createElement("script");
  const properties = { async: false, src };
  return fetched.get(src) ?? fetchOnce(src, Object.assign(script, properties));
}

function fetchStyle(href) {
  const sheet = document.createElement("link");
  const properties = { rel: "stylesheet", href };
  return fetched.get(href) ?? fetchOnce(href, Object.assign(sheet, properties));
}

async function fetchIndex(folder) {
  await fetchScript(`${folder}/index.js`);
  return window.bayesbookPracticeIndex;
}

async function fetchBanks(folder, chapters) {
  const names = [...new Set(chapters)];
  await Promise.all(names.map((name) => fetchScript(`${folder}/${name}.js`)));
  return window.bayesbookPractice;
}

async function fetchTypesetter(folder) {
  await Promise.all([
    fetchStyle(`${folder}/katex-swap.min.css`),
    fetchScript(`${folder}/katex.min.js`),
    fetchScript(`${folder}/auto-render.min.js`),
  ]);
}

// One of the three things that a bank has of a question.
function written(bank, id, what) {
  const template = document.createElement("template");
  template.innerHTML = bank.questions[id][what]
    .map((part) => bank.parts[part])
    .join("");
  return template.content.firstElementChild;
}
