// A report of a mistake names the section that is on the screen, and quotes
// what is selected.

"use strict";

document.addEventListener("click", ({ target }) => {
  const link = target.closest(".book-report, .btn-source-issues-button");
  if (!link) return;
  const headings = [
    ...document.querySelectorAll(".bd-article :is(h1, h2, h3)"),
  ];
  const passed = headings.filter(
    (heading) => heading.getBoundingClientRect().top < innerHeight / 2,
  );
  const section = passed.at(-1)?.closest("section[id]");
  const title = passed.at(-1)?.textContent.replace(/#$/, "").trim() ?? "";
  const place = section ? `${title} (#${section.id})` : title;
  const quoted = String(getSelection()).trim();
  const address = new URL(link.href);
  const body = address.searchParams
    .get("body")
    .replace(/^Section:.*$/m, () => `Section: ${place}`)
    .replace(/(written there:)[^]*?(\n\nWhat is wrong)/, (_, before, after) =>
      quoted ? `${before}\n\n> ${quoted}${after}` : before + after,
    );
  address.searchParams.set("body", body);
  link.href = address;
});
