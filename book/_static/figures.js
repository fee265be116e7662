// A figure whose letters are too small to read on this screen can be enlarged.

"use strict";

(() => {
  // An image says nothing of its letters; most are as large as those of a text.
  const LEAST = 0.65;
  const COMFORTABLE = 1.5; // times the least
  const PIXELS = 4 / 3; // a point

  const pictureOf = (figure) => figure.querySelector(".book-picture, img[width]");
  const isImage = (picture) => picture.matches("img");

  // The scale at which the smallest letters can just be read.
  function leastScale(picture) {
    return Number(picture.style.getPropertyValue("--least") || LEAST);
  }

  // How wide a picture was drawn, in pixels.
  function fullWidth(picture) {
    return isImage(picture)
      ? picture.getAttribute("width")
      : picture.style.getPropertyValue("--width") * PIXELS;
  }

  function scaleOf(picture) {
    if (isImage(picture)) {
      return picture.getBoundingClientRect().width / fullWidth(picture);
    }
    const panels = [...picture.querySelectorAll("svg")];
    const shown = panels.filter((svg) => svg.getBoundingClientRect().width);
    return Math.min(...shown.map((svg) => svg.getScreenCTM().a / PIXELS));
  }

  // One dialog for all figures of a page.
  const dialog = document.createElement("dialog");
  dialog.className = "book-enlarged";
  const close = document.createElement("button");
  close.textContent = "Close";
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", ({ target, clientX: x, clientY: y }) => {
    const box = dialog.getBoundingClientRect();
    const inside =
      box.left <= x && x <= box.right && box.top <= y && y <= box.bottom;
    if (target === dialog && !inside) dialog.close();
  });

  // What is in the middle then is where the picture was tapped.
  function enlarge(picture, button, tap) {
    const scale = Math.max(1, COMFORTABLE * leastScale(picture));
    const copy = picture.cloneNode(true);
    copy.style.width = `${scale * fullWidth(picture)}px`;
    for (const node of copy.querySelectorAll("[id]")) {
      node.removeAttribute("id"); // those of the figure are found
    }
    dialog.setAttribute("aria-label", button.getAttribute("aria-label"));
    dialog.replaceChildren(close, copy);
    document.body.append(dialog);
    button.focus({ preventScroll: true }); // where the focus will return to
    dialog.showModal();
    if (tap) {
      const { left, top, width, height } = picture.getBoundingClientRect();
      const x = (tap.clientX - left) / width;
      const y = (tap.clientY - top) / height;
      dialog.scrollTo(
        copy.offsetLeft + x * copy.offsetWidth - dialog.clientWidth / 2,
        copy.offsetTop + y * copy.offsetHeight - dialog.clientHeight / 2,
      );
    }
  }

  function prepare(figure) {
    const picture = pictureOf(figure);
    const number = figure.querySelector(".caption-number")?.textContent ?? "";
    const button = document.createElement("button");
    button.className = "book-enlarge";
    button.setAttribute("aria-label", `Enlarge ${number.trim() || "figure"}`);
    button.hidden = true;
    button.addEventListener("click", () => enlarge(picture, button));
    picture.addEventListener("click", (tap) => {
      const selects = getSelection().type === "Range";
      if (!button.hidden && !selects) enlarge(picture, button, tap);
    });
    figure.prepend(button);
    new ResizeObserver(() => {
      const scale = scaleOf(picture);
      button.hidden = scale === 0 || scale >= leastScale(picture);
    }).observe(picture);
  }

  for (const figure of document.querySelectorAll("article figure")) {
    if (pictureOf(figure)) prepare(figure);
  }
})();
