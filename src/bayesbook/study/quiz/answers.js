// Reading the number that a reader typed, and comparing it with the key:
// the same as answers.py, where each rule is explained.

const SPACE = "[ \\t\\u00a0\\u2009\\u202f]*";
const DECIMAL =
  "[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?";
const ANSWER = new RegExp(
  `^(${DECIMAL})(?:${SPACE}/${SPACE}(${DECIMAL})|${SPACE}(%))?$`,
);
const THOUSANDS = /[1-9][0-9]{0,2},[0-9]{3}(?![0-9])/;
const EDGES = /^[ \t\n\u00a0\u2009\u202f]+|[ \t\n\u00a0\u2009\u202f]+$/g;

function readNumber(typed, unit) {
  let text = typed.replaceAll("\u2212", "-").replace(EDGES, "");
  if (unit && text.endsWith(unit)) {
    text = text.slice(0, -unit.length).replace(EDGES, "");
  }
  const found = ANSWER.exec(text);
  if (!found || THOUSANDS.test(text)) return null;
  const [top, bottom] = [found[1], found[2]].map(
    (part) => part && Number(part.replace(",", ".")),
  );
  let value = top;
  if (found[2]) value = top / bottom;
  if (found[3]) value = top / 100;
  return Number.isFinite(value) ? value : null;
}

function agrees(value, key, tolerance) {
  return Math.abs(value - key) <= tolerance + 1e-12 * Math.abs(key);
}
