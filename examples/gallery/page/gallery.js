// The page around the scenes: elements, input and frames. The scenes themselves are in the wasm module.
import init, { Page } from "./gallery_wasm.js";
import { download, fail, loaded, openBackend } from "./loader.js";

const element = (id) => document.getElementById(id);
let page;
let hidden;
let memory;
const views = [];

/** Opens a back end. A canvas belongs to one of them for good. */
const open = () => openBackend((name) => {
  hidden = document.createElement("canvas");
  return Page.open(hidden, name);
});

/** Escapes and colors Rust code. */
function colored(code) {
  const keywords = "as const else enum false fn for if impl in let match mod move mut pub ref return self Self struct true type use while";
  const isKeyword = new Set(keywords.split(" "));
  const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const token = /(\/\/[^\n]*)|("(?:[^"\\]|\\.)*")|\b(\d[\w.]*\d|\d)\b|\b([A-Za-z_]\w*)\b/g;
  let html = "";
  let end = 0;
  for (const found of code.matchAll(token)) {
    html += escaped(code.slice(end, found.index));
    end = found.index + found[0].length;
    const [text, comment, string, number] = found;
    const kind = comment ? "c" : string ? "s" : number ? "n" : isKeyword.has(text) ? "k" : /^[A-Z]/.test(text) ? "t" : "";
    html += kind ? `<span class="${kind}">${escaped(text)}</span>` : escaped(text);
  }
  return html + escaped(code.slice(end));
}

/** Whether any scene waits for a frame. */
let isScheduled = false;
function schedule(view) {
  view.isDirty = true;
  if (!isScheduled) {
    isScheduled = true;
    requestAnimationFrame(frames);
  }
}

function frames() {
  isScheduled = false;
  let hasBuilt = false;
  for (const view of views) {
    if (!page || !view.isDirty || !view.isShown || !view.width) continue;
    if (!view.isBuilt) {
      // One scene per frame, so that the page stays responsive.
      if (hasBuilt) { schedule(view); continue; }
      hasBuilt = true;
    }
    view.isDirty = false;
    view.step();
  }
}

class View {
  constructor(index) {
    this.index = index;
    const [name, title, text] = Page.texts(index);
    this.name = name;
    const section = element("scene").content.firstElementChild.cloneNode(true);
    section.id = name;
    const find = (selector) => section.querySelector(selector);
    find("h2").textContent = title;
    find("h2").id = `${name}-title`;
    section.setAttribute("aria-labelledby", `${name}-title`);
    find(".text").textContent = text;
    find(".text").id = `${name}-text`;
    find("code").innerHTML = colored(Page.code(index));
    find("pre").setAttribute("aria-label", `Code of the scene ${title}`);
    if (matchMedia("(max-width: 56rem)").matches) find("details").open = false;
    Object.assign(this, {
      section, title, canvas: find(".view"), stage: find(".stage"), readout: find(".readout"),
      lasso: find("polygon"), hovered: find(".hovered"), counts: find(".counts"), controls: find(".controls"),
      drive: find(".drive"), magnifier: find(".magnifier"), width: 0, height: 0, scale: 1, perCss: 1,
      isDirty: false, isShown: false, isBuilt: false, chosen: "",
    });
    if (name === "views") this.stage.classList.add("four");
    this.canvas.setAttribute("role", "application");
    this.canvas.setAttribute("aria-label", `Scene ${title}. Press X, Y or Z to begin a drag, then type a number and Enter.`);
    this.canvas.setAttribute("aria-describedby", `${name}-text`);
    this.context = this.canvas.getContext("2d", { alpha: false });
    element("scenes").append(section);
    this.link(title);
    this.listen();
  }

  link(title) {
    const item = document.createElement("li");
    item.innerHTML = `<a href="#${this.name}"></a>`;
    item.firstChild.textContent = title;
    this.anchor = item.firstChild;
    element("links").append(item);
  }

  /** Steps the scene, and copies its picture if it was drawn. */
  step() {
    try {
      const { index, width, height, scale } = this;
      if (page.is_lost()) return reopen();
      this.failure = null;
      if (page.step(index, width, height, scale)) {
        this.context.drawImage(hidden, 0, 0, width, height, 0, 0, width, height);
      }
      if (!this.isBuilt) {
        this.isBuilt = true;
        performance.mark("built");
        this.restore();
        this.showControls();
      }
      this.show();
      if (page.needs_step(index)) schedule(this);
    } catch (error) {
      this.failure = error;
      this.hovered.textContent = `${error.message ?? error}`;
      if (page.is_lost()) reopen();
    }
  }

  /** Keeps the objects, the camera and the settings, for another device. */
  keep() {
    if (!this.isBuilt) return;
    const { index } = this;
    const settings = page.control_labels(index).map((_, control) => page.control_current(index, control));
    this.kept = { state: page.save(index), settings };
  }

  restore() {
    if (!this.kept) return;
    page.restore(this.index, this.kept.state);
    this.kept.settings.forEach((value, control) => page.set_control(this.index, control, value));
    this.kept = null;
  }

  /** Shows what is beside the picture. */
  show() {
    const { index, perCss } = this;
    const hovered = page.dragging(index) ?? page.hovered(index);
    this.hovered.textContent = hovered ? hovered.replaceAll("_", " ") : "";
    const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
    this.counts.textContent = `${count(page.frames(index), "frame")}, ${count(page.picks(index), "pick")}`;
    this.canvas.style.cursor = page.cursor(index);
    const text = page.readout(index);
    this.readout.hidden = text === undefined;
    if (text !== undefined) {
      const [x, y] = page.readout_px(index);
      this.readout.textContent = text;
      this.readout.style.transform = `translate(${x / perCss}px, calc(${y / perCss}px - 50%))`;
    }
    const lasso = page.lasso(index);
    const points = [];
    for (let i = 0; i < lasso.length; i += 2) points.push(`${lasso[i] / perCss},${lasso[i + 1] / perCss}`);
    this.lasso.setAttribute("points", points.join(" "));
    this.magnify();
    const chosen = String(page.selected(index));
    if (chosen !== this.chosen) {
      this.chosen = chosen;
      this.syncControls();
    }
  }

  /** Shows the ids around the pointer. */
  magnify() {
    const px = page.pointer_px(this.index);
    const ids = element("magnify").checked && px.length ? page.magnified(this.index) : [];
    this.magnifier.hidden = ids.length === 0;
    if (!ids.length) return;
    const side = Page.magnified_side();
    const [canvas, label] = this.magnifier.children;
    const cell = 6;
    canvas.width = canvas.height = side * cell;
    const context = canvas.getContext("2d");
    const isDark = document.documentElement.dataset.theme === "dark";
    ids.forEach((id, i) => {
      const [x, y] = [(i % side) * cell, Math.floor(i / side) * cell];
      const hue = (Math.imul(id, 2654435761) >>> 0) % 360;
      context.fillStyle = id ? `hsl(${hue} 70% ${isDark ? 60 : 45}%)` : isDark ? "#22262e" : "#e4e7ec";
      context.fillRect(x, y, cell - 1, cell - 1);
    });
    const middle = Math.floor(side / 2);
    context.strokeStyle = isDark ? "#fff" : "#000";
    context.lineWidth = 2;
    context.strokeRect(middle * cell - 1, middle * cell - 1, cell + 1, cell + 1);
    const id = ids[middle * side + middle];
    const name = page.name_of(this.index, id);
    label.textContent = id ? `id ${id}: ${(name ?? "").replaceAll("_", " ")}` : "id 0: nothing";
    this.magnifier.classList.toggle("right", px[0] < this.width / 2);
  }

  showControls() {
    const { index, controls } = this;
    controls.replaceChildren();
    page.control_labels(index).forEach((label, control) => {
      const values = page.control_values(index, control);
      const isSwitch = values.join() === "off,on";
      const input = document.createElement(isSwitch ? "input" : "select");
      if (isSwitch) input.type = "checkbox";
      else input.append(...values.map((value) => new Option(value)));
      const box = document.createElement("label");
      box.append(...(isSwitch ? [input, label] : [`${label} `, input]));
      input.addEventListener("change", () => {
        page.set_control(index, control, isSwitch ? Number(input.checked) : input.selectedIndex);
        this.syncHandles();
        schedule(this);
      });
      controls.append(box);
    });
    const buttons = document.createElement("span");
    buttons.className = "buttons";
    controls.append(buttons);
    const button = (text, act) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = text;
      made.addEventListener("click", () => { act(); schedule(this); });
      buttons.append(made);
    };
    button("Undo", () => page.undo(index));
    button("Reset", () => { page.reset(index); this.showControls(); });
    this.syncControls();
    this.syncHandles();
  }

  syncControls() {
    const inputs = this.controls.querySelectorAll("select, input");
    inputs.forEach((input, control) => {
      const current = page.control_current(this.index, control);
      if (input.type === "checkbox") input.checked = current === 1;
      else input.selectedIndex = current;
    });
  }

  syncHandles() {
    const { handle } = this.drive.elements;
    const names = page.driven_handles(this.index);
    if (names.join() === [...handle.options].map((option) => option.value).join()) return;
    handle.replaceChildren(...names.map((name) => new Option(name.replaceAll("_", " "), name)));
    this.syncAmount();
  }

  syncAmount() {
    const { handle, amount } = this.drive.elements;
    const [unit, usual] = handle.value.startsWith("rotate") ? ["degrees", "45"] : handle.value.startsWith("scale") ? ["factor", "1.5"] : ["units", "1"];
    amount.setAttribute("aria-label", `Amount, ${unit}`);
    amount.title = unit;
    amount.value = usual;
  }

  listen() {
    const { canvas, index } = this;
    const on = (target, name, act) => target.addEventListener(name, (event) => { if (page && this.isBuilt) act(event); });
    on(canvas, "pointerdown", (event) => this.down(event));
    on(canvas, "pointermove", (event) => this.pointer(event));
    on(canvas, "pointerup", (event) => this.pointer(event));
    on(canvas, "pointercancel", (event) => { page.pointer_lost(index, event.pointerId); schedule(this); });
    on(canvas, "wheel", (event) => this.wheel(event));
    on(canvas, "pointerleave", (event) => {
      if (!canvas.hasPointerCapture(event.pointerId)) { page.pointer_left(index); schedule(this); }
    });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    on(canvas, "keydown", (event) => this.key(event));
    on(canvas, "keyup", (event) => { this.hold(event); schedule(this); });
    on(canvas, "blur", () => { page.pointer_canceled(index); page.set_held(index, false, false, false); schedule(this); });
    on(this.drive.elements.handle, "change", () => this.syncAmount());
    on(this.drive, "submit", (event) => this.submit(event));
    this.drive.addEventListener("submit", (event) => event.preventDefault());
    new ResizeObserver(([entry]) => this.resized(entry)).observe(canvas);
    // Several changes may come at once; the last one counts.
    new IntersectionObserver((entries) => {
      this.isShown = entries.at(-1).isIntersecting;
      if (this.isShown) schedule(this);
    }, { rootMargin: "120px" }).observe(canvas);
    new IntersectionObserver((entries) => this.setCurrent(entries.at(-1).isIntersecting), { rootMargin: "-45% 0px -45% 0px" }).observe(this.section);
  }

  /** Marks the link of the scene that is being read, and scrolls the row of links to it. */
  setCurrent(isCurrent) {
    this.anchor.setAttribute("aria-current", String(isCurrent));
    if (!isCurrent) return;
    const [list, item] = [element("links"), this.anchor.parentElement];
    list.scrollLeft = item.offsetLeft - (list.clientWidth - item.offsetWidth) / 2;
  }

  submit() {
    const answer = this.drive.querySelector(".answer");
    answer.textContent = "";
    const { handle, amount } = this.drive.elements;
    try {
      page.drive(this.index, handle.value, Number(amount.value.trim().replace(",", ".") || "NaN"));
    } catch (error) {
      answer.textContent = `Not moved: ${error.message ?? error}.`;
    }
    schedule(this);
  }

  /** Physical pixels of the canvas, as exact as the browser knows them. */
  resized(entry) {
    const box = entry.devicePixelContentBoxSize?.[0];
    const ratio = window.devicePixelRatio || 1;
    const exact = (px, css) => (px !== undefined && Math.abs(px - css * ratio) <= 1 ? px : Math.round(css * ratio));
    // Browsers that show a page as on a phone count the pixels of the box in CSS pixels.
    const width = exact(box?.inlineSize, entry.contentRect.width);
    const height = exact(box?.blockSize, entry.contentRect.height);
    // More than three pixels per CSS pixel are seen by nobody.
    const less = Math.min(1, 3 / ratio);
    [this.width, this.height] = [Math.round(width * less), Math.round(height * less)];
    this.scale = ratio * less;
    // Boxes begin and end at whole pixels, so that this differs a little from the scale factor.
    this.perCss = this.width / Math.max(1, entry.contentRect.width);
    if (this.canvas.width !== this.width || this.canvas.height !== this.height) {
      [this.canvas.width, this.canvas.height] = [this.width, this.height];
      page?.redraw(this.index);
    }
    schedule(this);
  }

  /** Returns the position of an event in physical pixels. */
  px(event) {
    const rect = this.canvas.getBoundingClientRect();
    return [(event.clientX - rect.left) * this.perCss, (event.clientY - rect.top) * this.perCss];
  }

  hold(event) {
    page.set_held(this.index, event.ctrlKey || event.metaKey, event.shiftKey, event.altKey);
  }

  /** Passes all buttons with each event, because browsers report those after the first one by moves. */
  pointer(event) {
    this.hold(event);
    // A press that began elsewhere is not the scene's.
    const buttons = this.canvas.hasPointerCapture(event.pointerId) ? event.buttons : 0;
    page.pointer(this.index, event.pointerId, ...this.px(event), event.pointerType === "touch", buttons);
    schedule(this);
  }

  down(event) {
    this.canvas.focus({ preventScroll: true, focusVisible: false });
    this.canvas.setPointerCapture(event.pointerId);
    this.pointer(event);
  }

  /** A handle uses the wheel first, then the scene if it has the focus or two fingers pinch, and else the page. */
  wheel(event) {
    const { index, canvas } = this;
    this.hold(event);
    // The pixels per notch differ among systems, but this old property has 120 everywhere.
    const notches = event.wheelDelta / 120;
    const zooms = event.ctrlKey || document.activeElement === canvas;
    if (page.nudge(index, notches) || (zooms && page.zoom(index, notches))) event.preventDefault();
    schedule(this);
  }

  key(event) {
    this.hold(event);
    const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    const isUsed = isUndo ? page.undo(this.index) || true
      : page.key(this.index, event.key, event.ctrlKey, event.altKey, event.metaKey, event.repeat);
    if (isUsed) event.preventDefault();
    schedule(this);
  }
}

function setTheme() {
  const choice = element("theme").value;
  const isDark = choice === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : choice === "dark";
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  page?.set_dark(isDark);
  views.forEach(schedule);
}

/** Opens the back end again after the device was lost. Only the undo steps are forgotten. */
let isReopening = false;
async function reopen() {
  if (isReopening) return;
  isReopening = true;
  element("backend").textContent = "The device was lost: opening it again";
  views.forEach((view) => view.keep());
  views.forEach((view) => { view.isBuilt = false; });
  page = null;
  page = await open();
  isReopening = false;
  if (page) begin();
  else clear("No WebGPU and no WebGL2");
}

// A scene at rest would not notice.
setInterval(() => { if (page?.is_lost()) reopen(); }, 500);

/** Shows that there are no scenes. */
function clear(status) {
  element("backend").textContent = status;
  element("scenes").hidden = element("links").hidden = true;
}

function begin() {
  element("backend").textContent = `Runs on ${page.backend() === "webgpu" ? "WebGPU" : "WebGL2"}`;
  hidden.addEventListener("webglcontextlost", reopen);
  page.set_magnifying(element("magnify").checked);
  views.forEach((view) => { view.isBuilt = false; });
  setTheme();
}

async function start() {
  memory = (await init({ module_or_path: await download("gallery_wasm") })).memory;
  page = await open();
  for (let index = 0; index < Page.count(); index++) views.push(new View(index));
  if (!page) return clear("No WebGPU and no WebGL2");
  loaded();
  begin();
  if (location.hash) document.querySelector(`#${CSS.escape(location.hash.slice(1))}`)?.scrollIntoView();
}

element("theme").addEventListener("change", setTheme);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", setTheme);
element("magnify").addEventListener("change", () => {
  page?.set_magnifying(element("magnify").checked);
  views.forEach(schedule);
});
setTheme();

const find = (name) => views.find((view) => view.name === name);
const idle = async (name) => {
  const view = find(name);
  const frame = () => new Promise(requestAnimationFrame);
  do {
    await frame();
    if (view.failure) throw view.failure;
  } while (!page || isReopening || !view.isBuilt || view.isDirty || page.needs_step(view.index));
};
/** What tests ask. Positions are in CSS pixels of the window unless they end in `Px`. */
window.gallery = {
  ready: start().catch((error) => {
    fail("broken", `${error.message ?? error}`);
    clear("Not loaded");
    throw error;
  }),
  idle,
  backend: () => page?.backend(),
  names: () => views.map((view) => view.name),
  hovered: (name) => page.hovered(find(name).index) ?? null,
  dragging: (name) => page.dragging(find(name).index) ?? null,
  matrix: (name, object = 0) => [...page.matrix(find(name).index, object)],
  selected: (name) => [...page.selected(find(name).index)],
  frames: (name) => page.frames(find(name).index),
  picks: (name) => page.picks(find(name).index),
  undo: (name) => { const done = page.undo(find(name).index); schedule(find(name)); return done; },
  pointerPx: (name) => [...page.pointer_px(find(name).index)],
  clipFromWorld: (name) => [...page.clip_from_world(find(name).index)],
  viewportPx: (name) => [...page.viewport(find(name).index)],
  scale: (name) => find(name).scale,
  perCss: (name) => find(name).perCss,
  position: (name, x, y, z) => {
    const view = find(name);
    const rect = view.canvas.getBoundingClientRect();
    const [left, top] = page.px_of(view.index, x, y, z);
    return [rect.left + left / view.perCss, rect.top + top / view.perCss];
  },
  magnified: (name) => [...page.magnified(find(name).index)],
  lose: () => {
    if (page.backend() === "webgl") hidden.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
    else page.lose();
    views.forEach(schedule);
  },
  memoryBytes: () => memory.buffer.byteLength,
  handlesOnCpu: (name, pixels) => pixels.map(([x, y]) => page.handle_on_cpu(find(name).index, x, y)),
  nameOf: (name, id) => page.name_of(find(name).index, id) ?? null,
  /** The ids of the whole view. */
  ids: async (name) => {
    const view = find(name);
    page.request_ids(view.index);
    schedule(view);
    for (;;) {
      const ids = page.take_ids(view.index);
      if (ids) return { width: view.width, height: view.height, ids: [...ids] };
      await new Promise(requestAnimationFrame);
    }
  },
};
