// The formulas of a bank are TeX, which a script of KaTeX typesets when they are
// shown. As in the text of a page, no line begins or ends with a sign that
// touches a formula and belongs to it.

const OPENING = /[([“‘]*$/;
const CLOSING = /^[-–.,:;!?)\]”’]*/;

function typeset(node) {
  window.renderMathInElement(node, { ignoredClasses: ["tex2jax_ignore"] });
  for (const formula of node.querySelectorAll(".katex")) {
    if (formula.closest(".katex-display, .book-joined")) continue;
    markBreaks(formula);
    join(formula.parentElement);
  }
}

// A line may go on between the parts of a formula that KaTeX makes, outside of
// brackets, and not where the next part is drawn nearer: both are one sign.
function markBreaks(formula) {
  let opened = 0;
  let last;
  for (const part of formula.querySelectorAll(".katex-base")) {
    const isNearer = last?.lastElementChild?.style.marginRight.startsWith("-");
    if (last && !opened && !isNearer) part.before(document.createElement("wbr"));
    const count = (css) => part.querySelectorAll(css).length;
    opened += count(".mopen") - count(".mclose");
    last = part;
  }
}

function join(span) {
  const { previousSibling: before, nextSibling: after } = span;
  const take = (text, sign) => text?.data?.match(sign)[0] ?? "";
  const [start, end] = [take(before, OPENING), take(after, CLOSING)];
  if (start) before.deleteData(before.length - start.length, start.length);
  if (end) after.deleteData(0, end.length);
  span.prepend(start);
  span.append(end);
  span.className = "book-joined";
}

// Where to read what a question asks; a title may be a question itself.
function readAgain(href, title) {
  const link = document.createElement("a");
  link.href = href;
  link.textContent = title;
  return ["Read again: ", link, title.endsWith("?") ? "" : "."];
}
