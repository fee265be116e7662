// Mark the words of a search in the place that was found, and show the first.

"use strict";

(() => {
  const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}_])+/gu;
  const UNMARKED = "script, style, svg, math, .katex, form, button, mark";
  const plain = (text) =>
    text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  // The words stay out of the address, so that nobody passes them on.
  function taken() {
    const address = new URL(location.href);
    const words = address.searchParams.get("highlight") ?? "";
    address.searchParams.delete("highlight");
    history.replaceState(history.state, "", address);
    return words.split(" ").filter(Boolean);
  }

  // An entry of the glossary or of the reference is a name and what follows it.
  function found() {
    const id = decodeURIComponent(location.hash.slice(1));
    const target = document.getElementById(id);
    const place = target?.closest("section, div, dt, dl, figure");
    if (!place) return [document.querySelector("article")];
    if (!place.matches("dt")) return [place];
    const parts = [place];
    while (parts.at(-1).nextElementSibling && !parts.at(-1).matches("dd")) {
      parts.push(parts.at(-1).nextElementSibling);
    }
    return parts;
  }

  function textsIn(place) {
    const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    return texts.filter((text) => !text.parentElement.closest(UNMARKED));
  }

  // Where the words stand in a text; of a Chinese one each sign is a word.
  function ranges({ data }, words) {
    const signs = new Set(
      words.filter((w) => /\p{Script=Han}/u.test(w)).join(""),
    );
    return [...data.matchAll(WORD)]
      .filter(({ 0: word }) => words.includes(plain(word)) || signs.has(word))
      .map(({ 0: word, index }) => [index, index + word.length]);
  }

  function mark(text, words) {
    return ranges(text, words)
      .reverse()
      .map(([start, end]) => {
        text.splitText(end);
        const mark = document.createElement("mark");
        const word = text.splitText(start);
        word.replaceWith(mark);
        mark.append(word);
        return mark;
      })
      .reverse();
  }

  // What is folded is opened only if nothing else can be seen.
  function show(marks) {
    const first = marks.find((mark) => mark.checkVisibility()) ?? marks[0];
    for (let box = first; box; box = box.parentElement) {
      if (box.matches("details")) box.open = true;
      if (box.matches(".toggle-hidden")) {
        box.querySelector(".toggle-button").click();
      }
    }
    const { top, bottom } = first.getBoundingClientRect();
    const seen = top > 0 && bottom < innerHeight;
    if (!seen) first.scrollIntoView({ block: "center" });
  }

  function offerToHide(marks) {
    const button = document.createElement("button");
    button.className = "btn book-marks d-print-none";
    button.textContent = "Hide the marks";
    const hide = () => {
      for (const mark of marks) mark.replaceWith(...mark.childNodes);
      button.remove();
      document.removeEventListener("keydown", onKey);
    };
    const onKey = ({ key }) => {
      if (key === "Escape" && !document.querySelector("dialog[open]")) hide();
    };
    button.addEventListener("click", hide);
    document.addEventListener("keydown", onKey);
    document.getElementById("searchbox").append(button);
  }

  const words = taken();
  const marks = found()
    .flatMap(textsIn)
    .flatMap((text) => mark(text, words));
  if (!marks.length) return;
  offerToHide(marks);
  // After the page has gone to the place itself.
  const whenThere = () => setTimeout(() => show(marks), 50);
  if (document.readyState === "complete") whenThere();
  else window.addEventListener("load", whenThere);
})();
