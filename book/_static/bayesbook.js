// Small repairs to the theme's pages, so that they work for every reader.

"use strict";

(() => {
  // What may scroll sideways inside itself on a narrow screen.
  const SCROLLING = [
    ".katex-display",
    "span.book-wide",
    ".cell_output .output",
    ".pst-scrollable-table-container",
    "div.highlight pre",
  ].join(", ");

  // The sidebar's front-page link lies outside every landmark.
  function nameFrontPageLink() {
    const brand = document.querySelector("a.navbar-brand");
    if (!brand) return;
    brand.parentElement.setAttribute("role", "navigation");
    brand.parentElement.setAttribute("aria-label", "Front page");
  }

  // The arrows that unfold the sidebar's chapters have no name.
  function nameSidebarArrows() {
    for (const summary of document.querySelectorAll("nav.bd-links summary")) {
      const link = summary.closest("li").querySelector("a");
      summary.setAttribute("aria-label", `Pages of ${link.textContent.trim()}`);
    }
  }

  // A formula of a sentence that is wider than its column gets a line of its
  // own, which can scroll; those of a drill's bank have no punctuation joined.
  const FORMULAS =
    ".book-joined, .katex:not(.book-joined .katex, .katex-display .katex)";

  function isWide(formula) {
    const column = formula.closest("p, li, dd, dt, td, th, figcaption");
    const width = Math.max(formula.offsetWidth, formula.scrollWidth);
    // One pixel more is rounding, and no reason to scroll.
    return width > column?.clientWidth + 1;
  }

  function hiddenParts({ scrollWidth, clientWidth, scrollLeft }) {
    const room = scrollWidth - clientWidth;
    return { scrolls: room > 1, more: room - scrollLeft > 1 };
  }

  // The style sheet shows that there is more to the right.
  function markEdge(region) {
    region.toggleAttribute("data-more", hiddenParts(region).more);
  }

  // What is far below on a phone has no layout yet; it is measured later.
  const isLaidOut = (element) =>
    element.checkVisibility?.({ contentVisibilityAuto: true }) ?? true;

  // A part of the page that is such a region itself does not scroll, as long as
  // what it holds has no layout.
  const hasContents = (element) =>
    isLaidOut(element) && !(element.firstElementChild && isGuessed(element));

  // Measure all, and then write: in turns, each measurement would lay out the
  // whole page again.
  function measureAndWrite(elements, measure, write) {
    elements
      .filter(hasContents)
      .map((element) => [element, measure(element)])
      .forEach(([element, measured]) => write(element, measured));
  }

  // What is in some boxes, or is one of them.
  const allOf = (boxes, css) =>
    boxes.flatMap((box) => [
      ...(box.matches?.(css) ? [box] : []),
      ...box.querySelectorAll(css),
    ]);

  // A region that scrolls must be reachable with the keyboard, one that does
  // not must not cost a Tab.
  function makeScrollableReachable(boxes = [document]) {
    measureAndWrite(allOf(boxes, FORMULAS), isWide, (formula, wide) =>
      formula.classList.toggle("book-wide", wide),
    );
    measureAndWrite(
      allOf(boxes, SCROLLING),
      hiddenParts,
      (region, { scrolls, more }) => {
        if (scrolls) region.tabIndex = 0;
        else region.removeAttribute("tabindex");
        region.toggleAttribute("data-more", more);
      },
    );
  }

  // Several parts come near at once: they are measured together.
  let come = [];

  function prepare(part) {
    if (!come.length) {
      requestAnimationFrame(() => {
        makeScrollableReachable(come);
        come = [];
      });
    }
    come.push(part);
  }

  // --- Heights ---------------------------------------------------------------
  // On a phone the style sheet leaves parts without a layout, and guesses their
  // heights. A link or a found word would end somewhere else, so all parts get
  // a layout for a moment, a few at a time, when there is nothing else to do:
  // the browser keeps their heights.

  const PARTS =
    "article > section > section > :not(section), " +
    "article > section > section > section > :not(section)";
  const allParts = () => [...document.querySelectorAll(PARTS)];
  const isGuessed = (part) =>
    getComputedStyle(part).contentVisibility === "auto" &&
    !(part.firstElementChild && isLaidOut(part.firstElementChild));

  function show(part) {
    part.style.contentVisibility = "visible";
    return part.offsetHeight;
  }

  // When a page has been read, Chromium looks for fields to fill in, and lays
  // out what has one, all in the same task. Forms far below come a task later.
  function setFormsAside() {
    const isFarForm = (form) => isGuessed(form.closest(PARTS) ?? form);
    const forms = [...document.querySelectorAll("article form")];
    const aside = forms.filter(isFarForm).map((form) => {
      const place = document.createComment("form");
      form.replaceWith(place);
      return [place, form];
    });
    setTimeout(() => aside.forEach(([place, form]) => place.replaceWith(form)));
  }

  function isFar(part) {
    const { top, bottom } = part.getBoundingClientRect();
    return bottom < -innerHeight || top > 2 * innerHeight;
  }

  // Once they have been on a frame, in their own fonts, the browser knows the
  // heights. What is near stays: it would lose its height for a moment.
  function keepHeights(parts) {
    document.fonts.ready.then(() => {
      makeScrollableReachable(parts);
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          for (const part of parts.filter(isFar)) {
            part.style.contentVisibility = "";
          }
        }),
      );
    });
  }

  const TURN = 20; // milliseconds, after which others have theirs
  const IDLE = { timeout: 200 }; // a busy device has no time for it by itself
  const PAUSE = 1000; // what a reader moves would stutter
  const ACTS = ["keydown", "pointerdown", "pointermove", "scroll", "wheel"];
  let waiting = [];
  let lastAct = -PAUSE;

  function noteActs() {
    const note = ({ type, buttons }) => {
      if (type !== "pointermove" || buttons) lastAct = performance.now();
    };
    for (const act of ACTS) {
      window.addEventListener(act, note, { capture: true, passive: true });
    }
  }

  function measureNext() {
    const pause = lastAct + PAUSE - performance.now();
    if (pause > 0) {
      setTimeout(() => requestIdleCallback(measureNext, IDLE), pause);
      return;
    }
    const end = performance.now() + TURN;
    const shown = [];
    while (waiting.length && performance.now() < end) {
      show(waiting[0]);
      shown.push(waiting.shift());
    }
    keepHeights(shown);
    if (waiting.length) requestIdleCallback(measureNext, IDLE);
  }

  // Another width gives other heights.
  function measureParts() {
    if (!window.requestIdleCallback) return;
    const running = waiting.length;
    waiting = allParts().filter(isGuessed);
    if (waiting.length && !running) requestIdleCallback(measureNext, IDLE);
  }

  // What comes to lie around a target must not grow when it is reached.
  const AROUND = 6;

  function arrive() {
    const target = document.querySelector(":target");
    if (!target) return;
    const parts = allParts();
    const isBefore = (part) =>
      part.compareDocumentPosition(target) & Node.DOCUMENT_POSITION_FOLLOWING;
    const at = parts.filter(isBefore).length;
    const around = parts
      .slice(Math.max(0, at - AROUND), at + AROUND)
      .filter((part) => getComputedStyle(part).contentVisibility === "auto");
    around.forEach(show);
    keepHeights(around);
    if (around.length) target.scrollIntoView();
  }

  // A reader who has come by a link, unless the way has gone on since then.
  function arriveFirst() {
    const away = new AbortController();
    const { signal } = away;
    for (const act of ["keydown", "pointerdown", "wheel"]) {
      window.addEventListener(act, () => away.abort(), { signal });
    }
    window.addEventListener(
      "load",
      () => {
        arrive();
        // Firefox may have moved on while the parts above got their heights.
        const { classList } = document.documentElement;
        if (!classList.contains("book-returned")) {
          document.querySelector(":target")?.scrollIntoView();
        }
        away.abort();
      },
      { signal },
    );
  }

  // A formula is written twice, for the eye and for speech; a copy has its
  // TeX instead.
  function copyFormulas(event) {
    const selection = getSelection();
    const formulas = [...document.querySelectorAll(".katex")].filter(
      (formula) => selection.containsNode(formula, true),
    );
    if (!formulas.length) return;
    const lent = formulas.map((formula) => {
      const marks = formula.closest(".katex-display") ? "$$" : "$";
      const tex = formula.querySelector("annotation").textContent;
      const span = document.createElement("span");
      span.textContent = marks + tex + marks;
      formula.before(span);
      formula.style.display = "none";
      return span;
    });
    event.clipboardData.setData("text/plain", selection.toString());
    event.preventDefault();
    for (const span of lent) span.remove();
    for (const formula of formulas) formula.style.display = "";
  }

  // Paper is white, and nothing unfolds on it. The answer to a quick check,
  // which a screen hides until somebody has tried, is part of the text there.
  function preparePaper() {
    const root = document.documentElement;
    const folded = document.querySelectorAll(
      ":is(details.sd-dropdown, .bayesbook-check details):not([open])",
    );
    const hidden = [...folded].filter((details) => details.hidden);
    const theme = root.dataset.theme;
    const print = (printing) => {
      root.dataset.theme = printing ? "light" : theme;
      for (const details of folded) details.open = printing;
      for (const details of hidden) details.hidden = !printing;
    };
    print(true);
    window.addEventListener("afterprint", () => print(false), { once: true });
  }

  function start() {
    nameFrontPageLink();
    nameSidebarArrows();
    // A narrower text, an opened box or another question has other regions
    // that scroll. The theme moves its sidebars slowly: wait until they stand.
    // An observer reports at once, too.
    let timer, width;
    const observer = new ResizeObserver(([{ contentRect }]) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        makeScrollableReachable();
        if (width !== contentRect.width) measureParts();
        width = contentRect.width;
      }, 100);
    });
    observer.observe(document.querySelector("article, main"));
    noteActs();
    window.addEventListener("hashchange", arrive);
    window.addEventListener("beforeprint", preparePaper);
    document.addEventListener("copy", copyFormulas);
    document.addEventListener(
      "scroll",
      ({ target }) => target.matches?.(SCROLLING) && markEdge(target),
      { capture: true, passive: true },
    );
    // A card comes with regions of its own.
    document.addEventListener(
      "toggle",
      ({ target }) => makeScrollableReachable([target]),
      { capture: true },
    );
    document.addEventListener(
      "contentvisibilityautostatechange",
      ({ target, skipped }) => skipped || prepare(target),
      { capture: true },
    );
  }

  // After all that the document's own listeners do with the forms.
  window.addEventListener("DOMContentLoaded", setFormsAside);
  arriveFirst();
  window.addEventListener("load", start);
})();
