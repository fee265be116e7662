// An explorable: controls set a state of whole numbers, and `view` says what
// is written and drawn for it, and which of the questions it solves.

function begin(root) {
  root.dataset.live = "true";
  const find = (css) => [...root.querySelectorAll(css)];
  const controls = find("input[type=range]");
  const start = Object.fromEntries(
    controls.map((control) => [control.name, Number(control.value)]),
  );
  const state = { ...start };
  const [words, said] = [".explore-words", ".explore-said"].map(
    (css) => root.querySelector(css),
  );
  let solved = [];
  let waiting = false;

  function set(changes) {
    for (const { name, min, max } of controls) {
      const value = Math.round(changes[name] ?? state[name]);
      state[name] = Math.min(Math.max(value, Number(min)), Number(max));
    }
  }

  function show() {
    waiting = false;
    const { written, drawn, solves } = view(state);
    for (const node of find("[data-written]")) {
      node.textContent = written[node.dataset.written];
    }
    for (const node of find("[data-drawn]")) {
      const shape = Object.entries(drawn[node.dataset.drawn]);
      for (const [name, value] of shape) node.setAttribute(name, value);
    }
    for (const control of controls) {
      control.value = state[control.name];
      control.setAttribute("aria-valuetext", written[control.name]);
    }
    solved = solves;
  }

  // However often a pointer moves, there is one picture a frame.
  function move(changes) {
    set(changes);
    if (!waiting) requestAnimationFrame(show);
    waiting = true;
  }

  // Where a movement ends: what is said, asked and remembered.
  function rest() {
    show();
    said.textContent = words.textContent;
    for (const task of find("[data-task]")) {
      const mark = task.querySelector(".explore-solved");
      if (solved.includes(task.dataset.task) && mark.hidden) {
        mark.hidden = false;
        said.textContent += ` ${mark.textContent} ${task.textContent}`;
      }
    }
    remember();
  }

  // A page has its state in its address, as a notebook has not.
  const isPage = root.closest(".bd-article") !== null;
  const own = `#${root.id}?`;

  function remember() {
    if (!isPage) return;
    const isStart = controls.every(({ name }) => state[name] === start[name]);
    if (!isStart) {
      history.replaceState(null, "", own + new URLSearchParams(state));
    } else if (location.hash.startsWith(own)) {
      history.replaceState(null, "", `#${root.id}`);
    }
  }

  function recall() {
    if (!isPage || !location.hash.startsWith(own)) return;
    const asked = new URLSearchParams(location.hash.slice(own.length));
    // What is no number, or of no control, changes nothing.
    const isNumber = ([, value]) => /^-?\d+$/.test(value);
    set(Object.fromEntries([...asked].filter(isNumber)));
    rest();
    root.scrollIntoView();
  }

  for (const control of controls) {
    control.addEventListener("input", () => {
      move({ [control.name]: control.value });
    });
    control.addEventListener("change", rest);
  }
  for (const button of find("[data-steps]")) {
    const [name, by] = button.dataset.steps.split(" ");
    button.addEventListener("click", () => {
      set({ [name]: state[name] + Number(by) });
      rest();
    });
  }
  for (const grip of find("[data-moves]")) {
    const [name, along] = grip.dataset.moves.split(" ");
    const value = { right: ({ x }) => x, down: ({ y }) => y };
    value.up = ({ y }) => 1000 - y;
    grip.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      grip.setPointerCapture(event.pointerId);
    });
    grip.addEventListener("pointermove", (event) => {
      if (!grip.hasPointerCapture(event.pointerId)) return;
      const screen = grip.ownerSVGElement.getScreenCTM().inverse();
      const point = new DOMPoint(event.clientX, event.clientY);
      move({ [name]: value[along](point.matrixTransform(screen)) });
    });
    grip.addEventListener("lostpointercapture", rest);
  }
  root.querySelector(".explore-reset").addEventListener("click", () => {
    set(start);
    rest();
  });
  // JupyterLab would take plain keys for commands to the notebook.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  for (const node of find(".explore-live")) node.hidden = false;
  addEventListener("hashchange", recall);
  // A browser may remember where the controls were.
  show();
  recall();
}

document
  .querySelectorAll(`.bayesbook-explore[data-name="${NAME}"]:not([data-live])`)
  .forEach((root) => begin(root));
