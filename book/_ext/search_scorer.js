// What a search finds first: the text and the library's guide, then its
// reference. The number of a match is Sphinx's own, which puts names of Python
// objects first and gives 100 to a term of the glossary, less if it is only a
// part of it: a definition comes before the text if it is that of the very
// words.
var Scorer = {
  score: ([page, title, anchor, description, score]) =>
    page.includes("appendix/library") && !page.includes("/guide_")
      ? score - 1000
      : page.endsWith("appendix/glossary")
        ? score - 60
        : score,
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
