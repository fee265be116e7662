// Small repairs to the theme's pages, so that they work for every reader.

"use strict";

// Search results come with an excerpt that is fetched from the found page.
// Browsers forbid that for pages opened from a disk; without this line the
// search would end in a script error there.
if (location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
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
  // own, which can scroll.
  function markWideFormulas() {
    for (const span of document.querySelectorAll("span.math")) {
      const column = span.closest("p, li, dd, dt, td, th, figcaption");
      const picture = span.querySelector("svg");
      const wide =
        column && picture && picture.clientWidth > column.clientWidth;
      span.classList.toggle("book-wide", Boolean(wide));
    }
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
    }
  }

  function start() {
    nameFrontPageLink();
    nameSidebarArrows();
    makeScrollableReachable();
    window.addEventListener("resize", makeScrollableReachable);
    // Formulas get their width when MathJax has typeset them; a box that
    // unfolds shows regions that had none.
    window.MathJax?.startup?.promise?.then(makeScrollableReachable);
    document.addEventListener("click", () =>
      requestAnimationFrame(makeScrollableReachable),
    );
  }

  window.addEventListener("load", start);
})();
