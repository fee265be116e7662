// Small repairs to the theme's pages, so that they work for every reader.

"use strict";

// Search results come with an excerpt that is fetched from the found page.
// Browsers forbid that for pages opened from a disk; without this line the
// search would end in a script error there.
if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

// The pages are written in the light mode, for readers without scripts. For
// all others the system decides, until they choose.
function chosenMode() {
  try {
    return localStorage.getItem("mode");
  } catch {
    return null; // there is no memory
  }
}
if (!chosenMode()) {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.mode = "auto";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

(() => {
  // What may scroll sideways inside itself on a narrow screen.
  const SCROLLING = [
    "mjx-container[display]",
    "div.math",
    "span.book-wide",
    ".cell_output .output",
    ".pst-scrollable-table-container",
    "div.highlight pre",
    "figure > a",
  ].join(", ");

  // Punctuation that belongs to the formula before it or after it.
  const OPENING = /[([“‘]*$/;
  const CLOSING = /^[-–.,:;!?)\]”’]*/;

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

  // A line may break before and after any formula; a comma or a bracket must
  // not begin or end a line because of that.
  function joinPunctuation() {
    for (const formula of document.querySelectorAll("span.math")) {
      const [before, after] = [formula.previousSibling, formula.nextSibling];
      const joined = document.createElement("span");
      joined.className = "book-joined";
      formula.replaceWith(joined);
      joined.append(formula);
      if (before instanceof Text) {
        joined.prepend(before.splitText(before.data.search(OPENING)));
      }
      if (after instanceof Text) {
        after.splitText(after.data.match(CLOSING)[0].length);
        joined.append(after);
      }
    }
  }

  // A formula of a sentence that is wider than its column gets a line of its
  // own, which can scroll.
  function markWideFormulas() {
    for (const span of document.querySelectorAll("span.book-joined")) {
      const column = span.closest("p, li, dd, dt, td, th, figcaption");
      const width = Math.max(span.offsetWidth, span.scrollWidth);
      // One pixel more is rounding, and no reason to scroll.
      span.classList.toggle("book-wide", width > column?.clientWidth + 1);
    }
  }

  // Say whether there is more to the right; the style sheet shows it.
  function markEdge(region) {
    const hidden = region.scrollWidth - region.clientWidth - region.scrollLeft;
    region.toggleAttribute("data-more", hidden > 1);
  }

  // A region that scrolls must be reachable with the keyboard, one that does
  // not must not cost a Tab.
  function makeScrollableReachable() {
    markWideFormulas();
    for (const region of document.querySelectorAll(SCROLLING)) {
      if (region.scrollWidth > region.clientWidth + 1) {
        region.tabIndex = 0;
      } else {
        region.removeAttribute("tabindex");
      }
      markEdge(region);
    }
  }

  // A formula is a drawing, which a copy would leave out: copy its TeX.
  function copyFormulas(event) {
    const selection = getSelection();
    const formulas = window.MathJax?.startup?.document?.math ?? [];
    const lent = [...formulas]
      .filter(({ typesetRoot }) => selection.containsNode(typesetRoot, true))
      .map(({ typesetRoot, math, display }) => {
        const tex = document.createElement("span");
        tex.className = "book-tex";
        tex.textContent = display ? `$$${math}$$` : `$${math}$`;
        typesetRoot.after(tex);
        return tex;
      });
    if (!lent.length) return;
    // The browser puts every formula on a line of its own.
    const text = selection.toString().replace(/\n(\$[^$]+\$)\n/g, "$1");
    event.clipboardData.setData("text/plain", text);
    event.preventDefault();
    for (const tex of lent) tex.remove();
  }

  // Paper is white, and nothing unfolds on it.
  function preparePaper() {
    const root = document.documentElement;
    const folded = document.querySelectorAll("details.sd-dropdown:not([open])");
    const theme = root.dataset.theme;
    const print = (printing) => {
      root.dataset.theme = printing ? "light" : theme;
      for (const details of folded) details.open = printing;
    };
    print(true);
    window.addEventListener("afterprint", () => print(false), { once: true });
  }

  function start() {
    nameFrontPageLink();
    nameSidebarArrows();
    makeScrollableReachable();
    // The theme moves its sidebars after the window has said that it has
    // another size, and slowly: what counts is when the text has its width.
    const article = document.querySelector("article");
    let width = article?.clientWidth;
    let timer;
    const again = () => {
      if (width === article.clientWidth) return;
      width = article.clientWidth;
      makeScrollableReachable();
    };
    const observer = new ResizeObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(again, 100);
    });
    if (article) observer.observe(article);
    window.addEventListener("beforeprint", preparePaper);
    document.addEventListener("copy", copyFormulas);
    document.addEventListener(
      "scroll",
      ({ target }) => target.matches?.(SCROLLING) && markEdge(target),
      { capture: true, passive: true },
    );
    // Formulas get their width when MathJax has typeset them; a box that
    // unfolds shows regions that had none.
    window.MathJax?.startup?.promise?.then(() => {
      joinPunctuation();
      makeScrollableReachable();
    });
    document.addEventListener("click", () =>
      requestAnimationFrame(makeScrollableReachable),
    );
  }

  window.addEventListener("load", start);
})();
