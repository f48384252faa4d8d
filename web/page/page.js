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
  canvas.addEventListener("pointermove", (event) => !isRebuilding && moved(event));
  canvas.addEventListener("pointerdown", (event) => {
    if (isRebuilding || !event.isPrimary) return;
    canvas.setPointerCapture(event.pointerId);
    moved(event);
    page.pointer("down");
  });
  canvas.addEventListener("pointerup", (event) => {
    if (isRebuilding || !event.isPrimary) return;
    moved(event);
    page.pointer("up");
    if (event.pointerType === "touch") page.pointer("left");
  });
  canvas.addEventListener("pointercancel", () => !isRebuilding && page.pointer("cancel"));
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
