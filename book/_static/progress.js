// Marks in the contents: which chapters are begun, and which are all right.
//
// Who has answered nothing sees nothing, and fetches nothing.

"use strict";

(() => {
  const PAGE = "book/appendix/progress.html";
  const STORED = /^bayesbook:((?:quiz|check|drill|exercise):[\w-]+)$/;
  const SHORT = 6; // characters of a version, as in versions.js
  const root = new URL(
    document.documentElement.dataset.content_root,
    location.href,
  );

  function stored() {
    try {
      return Object.keys(localStorage).filter((key) => STORED.test(key));
    } catch {
      return [];
    }
  }

  function read(key) {
    try {
      return JSON.parse(localStorage.getItem(key)) ?? {};
    } catch {
      return {};
    }
  }

  function stateOf(name, versions) {
    const known = new Set(versions.match(RegExp(`.{${SHORT}}`, "g")));
    const answered = ["quiz", "check"]
      .flatMap((kind) => Object.values(read(`bayesbook:${kind}:${name}`)))
      .map((record) => ({
        ...record,
        version: String(record?.version).slice(0, SHORT),
      }))
      .filter(({ tries, version }) => tries && known.has(version));
    const right = answered.filter(({ solved }) => solved);
    const versionsRight = new Set(right.map(({ version }) => version));
    if (versionsRight.size === known.size) return "all answered right";
    return answered.length ? "begun" : "";
  }

  function markOf(state) {
    const sign = document.createElement("span");
    const words = document.createElement("span");
    sign.className = "book-mark";
    sign.ariaHidden = "true";
    sign.dataset.mark = state === "begun" ? "begun" : "right";
    sign.title = state;
    words.className = "book-mark-words visually-hidden";
    words.textContent = `, ${state}`;
    return [sign, words];
  }

  function showMarks() {
    const chapters = window.bayesbookVersions ?? [];
    const states = new Map(
      chapters.map(([page, name, versions]) => [
        new URL(`${page}.html`, root).pathname,
        stateOf(name, versions),
      ]),
    );
    for (const link of document.querySelectorAll("nav.bd-links li > a")) {
      const state = states.get(new URL(link.href).pathname) ?? "";
      link.querySelectorAll("[class^=book-mark]").forEach((n) => n.remove());
      if (state) link.append(...markOf(state));
    }
  }

  function update() {
    if (window.bayesbookVersions) showMarks();
    else if (stored().length) {
      window.bayesbookVersions = [];
      const script = document.createElement("script");
      script.src = new URL("progress/versions.js", root);
      script.addEventListener("load", showMarks);
      document.head.append(script);
    }
  }

  // From the disk, a browser may give each page a storage of its own. So the
  // way to "My progress" carries what this page has stored, and a token by
  // which that page sees whether it finds the same.
  function carryAnswers({ target }) {
    const link = target.closest?.("a");
    const { pathname } = new URL(PAGE, root);
    if (link?.pathname !== pathname || location.pathname === pathname) return;
    const probe = String(Math.random());
    try {
      localStorage.setItem("bayesbook:probe", probe);
    } catch {
      return; // there is nothing to carry
    }
    const records = stored().map((key) => [STORED.exec(key)[1], read(key)]);
    const content = {
      format: "bayesbook-progress",
      version: 1,
      probe,
      records: Object.fromEntries(records),
    };
    link.hash = `answers=${encodeURIComponent(JSON.stringify(content))}`;
    setTimeout(() => (link.hash = ""));
  }

  // At the end of a quiz, the way to the page.
  function linkQuizzes() {
    const quizzes = ".bayesbook-quiz:not(.bayesbook-drill, .bayesbook-check)";
    for (const quiz of document.querySelectorAll(quizzes)) {
      const link = document.createElement("a");
      link.href = new URL(PAGE, root);
      link.textContent = "My progress";
      const line = document.createElement("p");
      line.className = "book-to-progress";
      line.append(link, ": all chapters, what was wrong, and what is due");
      quiz.append(line);
    }
  }

  linkQuizzes();
  update();
  document.addEventListener("bayesbook-memory", update);
  addEventListener("storage", update);
  addEventListener("pageshow", ({ persisted }) => persisted && update());
  if (location.protocol === "file:") {
    document.addEventListener("click", carryAnswers, { capture: true });
  }
})();
