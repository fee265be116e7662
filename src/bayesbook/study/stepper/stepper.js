// A step-through: of the frames, which all stand in the page, one is shown.
//
// What the shown frame says is repeated in a place that is there from the
// start, so that it is announced. It is copied when it is shown, as formulas
// are typeset by then.

function begin(root) {
  root.dataset.live = "true";
  const find = (css) => root.querySelector(css);
  const frames = [...root.querySelectorAll(".stepper-frame")];
  const [previous, slider, next] = [
    find(".stepper-previous"),
    find("input"),
    find(".stepper-next"),
  ];
  const said = find(".stepper-said");
  let at = 0;

  function show(place) {
    delete frames[at].dataset.shown;
    at = Math.max(0, Math.min(place, frames.length - 1));
    const frame = frames[at];
    frame.dataset.shown = "true";
    slider.value = at + 1;
    slider.setAttribute("aria-valuetext", frame.dataset.title);
    // Not `disabled`, which would take the focus away at the last step.
    previous.setAttribute("aria-disabled", String(at === 0));
    next.setAttribute("aria-disabled", String(at === frames.length - 1));
    const words = frame.querySelector(".stepper-words").cloneNode(true);
    said.replaceChildren(...words.childNodes);
  }

  previous.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", () => show(at + 1));
  slider.addEventListener("input", () => show(Number(slider.value) - 1));
  root.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // JupyterLab would take plain keys for commands to the notebook.
    event.stopPropagation();
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    show(at + step);
  });
  find(".stepper-controls").hidden = false;
  show(0);
}

document
  .querySelectorAll(".bayesbook-stepper:not([data-live])")
  .forEach((root) => begin(root));
