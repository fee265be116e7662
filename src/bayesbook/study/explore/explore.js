// An explorable: controls set a state of whole numbers, and `view` says what
// is written and drawn for it, and which of the questions it solves; or why
// there is no such state.

function begin(root) {
  root.dataset.live = "true";
  const find = (css) => [...root.querySelectorAll(css)];
  const controls = find("[name]");
  const start = Object.fromEntries(
    controls.map((control) => [control.name, Number(control.value)]),
  );
  const state = { ...start };
  const ticks = find("[data-ticks]");
  const [places, parts] = [find("[data-written]"), find("[data-drawn]")];
  const tasks = find("[data-task]");
  const last = { ...start }; // the state that is shown
  const [said, refused] = ["said", "refused"].map((name) =>
    root.querySelector(`.explore-${name}`),
  );
  const told = find(".explore-words, .explore-told");
  let solved = [];
  let known = {}; // the view that was looked at last
  let isShown = false;
  let isWaiting = false;

  function set(changes) {
    isShown = false;
    write(refused, "");
    for (const control of controls) {
      const { name } = control;
      const [least, most] = ends(control);
      const value = Math.round(changes[name] ?? state[name]);
      state[name] = Math.min(Math.max(value, least), most);
    }
  }

  function look(asked) {
    const key = JSON.stringify(asked);
    if (known.key !== key) known = { key, view: view(asked) };
    return known.view;
  }

  function show(asked = state) {
    if (isShown) return;
    const { written, solves } = picture(asked);
    for (const node of places) write(node, written[node.dataset.written]);
    solved = solves;
    isShown = controls.every(({ name }) => last[name] === state[name]);
  }

  // What is drawn, without the words; if a state is refused, what was there.
  function picture(asked) {
    const { refused: why } = look(asked);
    if (why) write(refused, why);
    Object.assign(last, why ? Object.assign(state, last) : asked);
    const seen = look(last);
    for (const node of parts) {
      const shape = Object.entries(seen.drawn[node.dataset.drawn]);
      for (const [name, value] of shape) draw(node, name, value);
    }
    for (const control of controls) {
      const { name } = control;
      if (Number(control.value) !== state[name]) {
        const isEmpty = control.type === "number" && state[name] === 0;
        control.value = isEmpty ? "" : state[name];
      }
      if (control.type === "range") {
        draw(control, "aria-valuetext", seen.written[name]);
      }
    }
    for (const box of ticks) {
      const [name, value] = box.dataset.ticks.split(" ");
      box.checked = state[name] === Number(value);
    }
    return seen;
  }

  // However often a pointer moves, there is one picture a frame. Before it is
  // drawn it is looked at: each is a task of its own, and on a phone none of
  // them is long.
  function move(changes) {
    set(changes);
    if (!isWaiting) setTimeout(prepare);
    isWaiting = true;
  }

  function prepare() {
    const asked = { ...state };
    look(asked);
    requestAnimationFrame(() => {
      show(asked);
      isWaiting = !isShown;
      if (isWaiting) setTimeout(prepare);
    });
  }

  // After a click the picture comes first, and then, in another task, the words.
  function leap(changes, passedOver) {
    set(changes);
    setTimeout(() => {
      look(state);
      requestAnimationFrame(() => {
        picture(state);
        setTimeout(rest, 0, passedOver);
      });
    });
  }

  // Where a movement ends: what is said, asked and remembered.
  function rest(passedOver = "") {
    show();
    if (!refused.textContent) write(refused, passedOver);
    said.textContent = [refused, ...told]
      .map((node) => node.textContent)
      .join(" ");
    for (const task of tasks) {
      const mark = task.querySelector(".explore-solved");
      if (solved.includes(task.dataset.task) && mark.hidden) {
        mark.hidden = false;
        said.textContent += ` ${mark.textContent} ${task.textContent}`;
      }
    }
    remember();
  }

  // The next value in turn; of one that is refused it is said why.
  function turn(control) {
    const { name } = control;
    const [least, most] = ends(control);
    const passedOver = [];
    let next = state[name];
    do {
      next = next < most ? next + 1 : least;
      passedOver.push(look({ ...state, [name]: next }).refused);
    } while (passedOver.at(-1));
    leap({ [name]: next }, passedOver[0]);
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
    const isList = control.options !== undefined;
    control.addEventListener("change", () => (isList ? leap({}) : rest()));
  }
  for (const button of find("[data-steps]")) {
    const [name, by] = button.dataset.steps.split(" ");
    button.addEventListener("click", () => {
      leap({ [name]: state[name] + Number(by) });
    });
  }
  // A view may change what a button sets.
  for (const button of find("[data-sets]")) {
    button.addEventListener("click", () => {
      const [name, value] = button.dataset.sets.split(" ");
      leap({ [name]: value });
    });
  }
  for (const box of ticks) {
    const [name, value] = box.dataset.ticks.split(" ");
    box.addEventListener("change", () => {
      leap({ [name]: box.checked ? value : 0 });
    });
  }
  for (const part of find("[data-turns]")) {
    const moved = controls.find(({ name }) => name === part.dataset.turns);
    part.addEventListener("click", () => setTimeout(turn, 0, moved));
  }
  for (const grip of find("[data-moves]")) {
    const [name, along] = grip.dataset.moves.split(" ");
    const value = { right: ({ x }) => x, down: ({ y }) => y };
    value.up = ({ y }) => 1000 - y;
    // Or a finger would move the page: Chromium does not heed `touch-action` of
    // what is within a picture.
    grip.addEventListener("touchstart", (event) => event.preventDefault(), {
      passive: false,
    });
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
    grip.addEventListener("lostpointercapture", () => rest());
  }
  root.querySelector(".explore-reset").addEventListener("click", () => {
    leap(start);
  });
  // JupyterLab would take plain keys for commands to the notebook.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  for (const node of find(".explore-live")) node.hidden = false;
  addEventListener("hashchange", recall);
  // A browser may remember where the controls were.
  show();
  recall();
}

// What is as it was is left alone: to write it again would cost a phone as much
// as a change.
function write(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function draw(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// The values of a list are counted from zero.
function ends({ min, max, options }) {
  return [Number(min ?? 0), Number(max ?? options.length - 1)];
}

document
  .querySelectorAll(`#${ID}:not([data-live])`)
  .forEach((root) => begin(root));
