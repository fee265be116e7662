// Cards: what a link leads to, shown beside it (`book/_ext/cards.py`).

"use strict";

(() => {
  // In an older browser links are links.
  if (!("popover" in HTMLElement.prototype)) return;

  const WAIT = 300; // milliseconds: a pointer that only passes shows nothing
  const LINKS = "a[data-card]:not(.book-card a)";
  const LEFT_OUT = ".headerlink, button";

  let wanted = null; // the link whose card is shown, or being fetched
  let card = null;
  let timer;
  let tapped = false;
  let fetched;

  // What stands on other pages is in a script, which is fetched once.
  function fetchOthers(address) {
    return (fetched ??= new Promise((resolve) => {
      const script = document.createElement("script");
      script.src = address;
      script.onload = script.onerror = resolve;
      document.head.append(script);
    }));
  }

  async function contentOf(link) {
    if (!link.dataset.card) {
      return document.getElementById(link.hash.slice(1))?.outerHTML;
    }
    await fetchOthers(link.dataset.card);
    return window.bayesbookCards?.[link.getAttribute("href")];
  }

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // In a document of its own nothing is fetched from a wrong address.
  function fitted(html, link) {
    const { body } = new DOMParser().parseFromString(html, "text/html");
    for (const node of body.querySelectorAll(LEFT_OUT)) node.remove();
    for (const node of body.querySelectorAll("[id]")) {
      if (document.getElementById(node.id)) node.removeAttribute("id");
    }
    for (const [css, name] of [["a[href]", "href"], ["img", "src"]]) {
      for (const node of body.querySelectorAll(css)) {
        node[name] = new URL(node.getAttribute(name), link.href);
      }
    }
    return body;
  }

  // What the text calls the place where all of it stands.
  function whereIs(text) {
    if (text.querySelector("dl.glossary")) return "the glossary";
    if (text.querySelector("div.citation")) return "the bibliography";
    const number = text.querySelector(".caption-number, .eqno").textContent;
    return number.trim().replace(/^\(/, "equation (");
  }

  async function show(link) {
    hide();
    wanted = link;
    const html = await contentOf(link);
    if (wanted !== link) return; // the reader has gone on
    if (!html) {
      hide();
      if (tapped) location.assign(link.href);
      return;
    }
    const body = fitted(html, link);
    const text = make("div", { className: "book-card-text" }, ...body.children);
    const way = make("a", { href: link.href });
    card = make(
      "div",
      { id: "book-card", className: "book-card", popover: "manual" },
      text,
      make("p", { className: "book-card-way" }, way),
    );
    // A note, to be read or skipped: as the link's description all of it would
    // be read at once. It stands behind the link, so that Tab leads into it.
    card.setAttribute("role", "note");
    link.setAttribute("aria-details", card.id);
    link.after(card);
    card.showPopover();
    const cut = text.scrollHeight > text.clientHeight + 1;
    text.toggleAttribute("data-cut", cut);
    way.textContent = `${cut ? "Read on in" : "Go to"} ${whereIs(text)}`;
  }

  function hide() {
    clearTimeout(timer);
    wanted?.removeAttribute("aria-details");
    card?.remove();
    wanted = card = null;
  }

  function hideUnlessInUse() {
    const onLink = wanted?.matches(":hover, :focus-visible");
    if (!onLink && !card?.matches(":hover, :focus-within")) hide();
  }

  // The link or the card that the pointer or the keyboard is on.
  function placeOf(node) {
    return node?.closest?.(`${LINKS}, .book-card`) ?? null;
  }

  function isWithin({ target, relatedTarget, pointerType }) {
    return pointerType === "touch" || placeOf(target) === placeOf(relatedTarget);
  }

  function come(event) {
    const place = placeOf(event.target);
    if (!place || isWithin(event)) return;
    clearTimeout(timer);
    if (place !== wanted && place !== card) {
      timer = setTimeout(show, WAIT, place);
    }
  }

  function leave(event) {
    if (!placeOf(event.target) || isWithin(event)) return;
    clearTimeout(timer);
    timer = setTimeout(hideUnlessInUse, WAIT);
  }

  document.addEventListener("pointerover", come);
  document.addEventListener("pointerout", leave);
  document.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) come(event);
  });
  document.addEventListener("focusout", leave);

  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !wanted) return;
    const back = card?.contains(document.activeElement) && wanted;
    hide();
    if (back) back.focus();
    clearTimeout(timer); // the way back is no new visit
  });

  // A finger has no way to only point: its first tap shows the card, and the
  // second one follows the link. A tap elsewhere closes, a stroke scrolls.
  document.addEventListener("pointerup", ({ target, pointerType }) => {
    tapped = pointerType === "touch";
    const place = placeOf(target);
    if (tapped && place !== wanted && place !== card) hide();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(LINKS);
    // A key clicks, too, and has no detail.
    if (link && link !== wanted && tapped && event.detail) {
      event.preventDefault();
      show(link);
    } else if (event.target.closest?.("a")) {
      hide();
    }
  });
})();
