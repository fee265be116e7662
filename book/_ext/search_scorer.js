// What a search finds first: the text, then the library's reference. The
// number of a match is Sphinx's own, which puts names of Python objects first.
var Scorer = {
  score: ([page, title, anchor, description, score]) =>
    page.includes("appendix/library") ? score - 1000 : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
