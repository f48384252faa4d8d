// Gives the canvas its size, and the page its input and its frames.
import init, { Page } from "./module.js";

const canvas = document.getElementById("canvas");
const backend = new URLSearchParams(location.search).get("backend") ?? "";
let isRebuilding = false;

function fit() {
  canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
}

async function rebuild(page) {
  isRebuilding = true;
  try {
    await page.rebuild();
    window.rebuilt = (window.rebuilt ?? 0) + 1;
    window.mustDraw = true;
  } finally {
    isRebuilding = false;
  }
}

try {
  const module = await init();
  fit();
  const page = await Page.create(canvas, backend);
  page.resize(devicePixelRatio);
  Object.assign(window, { page, module, mustDraw: true });

  const moved = (event) => {
    page.set_tolerance(event.pointerType === "touch" ? 20 : 6);
    page.pointer_moved(event.offsetX, event.offsetY);
  };
  let held = 0;
  // Browsers report the buttons of a mouse after the first one by moves with other `buttons`.
  const pointer = (event) => {
    if (isRebuilding || !event.isPrimary) return;
    if (event.type === "pointerdown") canvas.setPointerCapture(event.pointerId);
    // A press that began elsewhere is not the page's.
    const buttons = canvas.hasPointerCapture(event.pointerId) ? event.buttons : 0;
    const [pressed, released] = [buttons & ~held, held & ~buttons];
    held = buttons;
    moved(event);
    if (pressed & 2) page.pointer("cancel");
    if (pressed & 1) page.pointer("down");
    if (released & 1) page.pointer("up");
    if (released && event.pointerType === "touch") page.pointer("left");
  };
  for (const name of ["pointerdown", "pointermove", "pointerup"]) canvas.addEventListener(name, pointer);
  canvas.addEventListener("pointercancel", () => {
    held = 0;
    if (!isRebuilding) page.pointer("cancel");
  });
  canvas.addEventListener("pointerleave", () => !isRebuilding && page.pointer("left"));
  new ResizeObserver(() => {
    if (isRebuilding) return;
    fit();
    page.resize(devicePixelRatio);
    window.mustDraw = true;
  }).observe(canvas);
  // WebGL tells the canvas that the context is lost, and WebGPU the device.
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
  canvas.addEventListener("webglcontextrestored", () => rebuild(page));

  const tick = () => {
    requestAnimationFrame(tick);
    if (isRebuilding) return;
    if (page.is_lost()) {
      rebuild(page);
    } else if (window.mustDraw || (page.needs_frame() && page.update())) {
      window.mustDraw = !page.frame();
    }
  };
  requestAnimationFrame(tick);
  window.isReady = true;
} catch (error) {
  window.failure = `${error}\n${error.stack}`;
  document.body.append(window.failure);
}
