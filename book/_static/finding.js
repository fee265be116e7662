// Finding: what searches is loaded when a reader wants to search, and what marks
// the words on the page that was found when one comes from there
// (`book/_ext/finding.py`).

"use strict";

(() => {
  const dialog = document.getElementById("pst-search-dialog");
  const root = document.documentElement.dataset.content_root;

  // A page on a disk may read no other file than a script.
  function load(name) {
    return new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = `${root}search/${name}.js`;
      script.onload = resolve;
      script.onerror = () => reject(new Error(`${script.src} does not load`));
      document.head.append(script);
    });
  }

  dialog?.addEventListener(
    "focusin",
    async () => {
      await load("search");
      window.bayesbookSearch({ dialog, root, load });
    },
    { once: true },
  );
  if (new URLSearchParams(location.search).has("highlight")) load("marks");
})();
