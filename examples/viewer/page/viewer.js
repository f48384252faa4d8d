// The page around the viewer: it gives it files, and downloads those that it saves.
import init, * as viewer from "./viewer_wasm.js";

const element = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search).get("backend");
const canvas = element("viewer");

/** The viewer reads files up to this size, as natively. */
const MAX_BYTES = 2 ** 31 - 1;

/** Downloads the module, and shows how far it is. */
async function download() {
  const response = await fetch(new URL("viewer_wasm_bg.wasm", import.meta.url));
  if (!response.ok) throw new Error(`viewer_wasm_bg.wasm: ${response.status}`);
  const total = Number(document.documentElement.dataset.wasmBytes);
  const chunks = [];
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    bytes += value.length;
    if (total > 0) element("progress").value = Math.min(bytes / total, 1);
  }
  return WebAssembly.compile(await new Blob(chunks).arrayBuffer());
}

/** Returns the first back end that works: WebGPU, then WebGL2. The viewer's canvas belongs to one of them for good. */
async function backend() {
  const reasons = [];
  if (asked !== "webgl") {
    try {
      if (await navigator.gpu?.requestAdapter()) return "webgpu";
      reasons.push("webgpu: no adapter");
    } catch (error) {
      reasons.push(`webgpu: ${error.message ?? error}`);
    }
  }
  if (asked !== "webgpu") {
    const context = document.createElement("canvas").getContext("webgl2");
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    if (context) return "webgl";
    reasons.push("webgl: no context");
  }
  element("reasons").textContent = reasons.join("\n");
  return null;
}

function fail(heading, advice) {
  element("loading").hidden = true;
  element("failed").hidden = false;
  element("failed").querySelector("h1").textContent = heading;
  element("failed").querySelector("p").textContent = advice;
}

/** Gives files to the viewer. Returns the name of the scene among them. */
async function add(files) {
  for (const file of files) {
    if (file.size > MAX_BYTES) throw new Error(`${file.name}: is too large: files must be smaller than 2 GiB`);
    viewer.addFile(file.name, new Uint8Array(await file.arrayBuffer()));
  }
  // A file that is no scene is opened, too: the viewer says what is wrong with it.
  return (files.find((file) => /\.gl(b|tf)$/i.test(file.name)) ?? files[0])?.name ?? null;
}

const told = (error) => { alert(`Could not open ${error.message ?? error}`); return null; };

let choosing = null;

/** The functions that the viewer calls. */
window.viewerPage = {
  /** Lets the user choose files. */
  choose() {
    const input = element("files");
    choosing?.(null);
    return new Promise((resolve) => {
      choosing = resolve;
      input.value = "";
      input.onchange = () => resolve(add([...input.files]).catch(told));
      input.oncancel = () => resolve(null);
      input.click();
    }).finally(() => canvas.focus());
  },
  askName: (name) => prompt("Save as", name) || undefined,
  download(name, bytes) {
    const link = document.createElement("a");
    const type = /\.gltf$/i.test(name) ? "model/gltf+json" : "model/gltf-binary";
    link.href = URL.createObjectURL(new Blob([bytes], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  },
  failed(why) {
    element("reasons").textContent = why;
    fail("The viewer has stopped", "Load the page again. Files that you have saved are in your downloads.");
  },
};

function listen() {
  const isDrag = (event) => event.dataTransfer?.types.includes("Files");
  let depth = 0;
  addEventListener("dragenter", (event) => {
    if (isDrag(event)) element("drop").hidden = ++depth === 0;
  });
  addEventListener("dragleave", (event) => {
    if (isDrag(event)) element("drop").hidden = --depth <= 0;
  });
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", async (event) => {
    event.preventDefault();
    depth = 0;
    element("drop").hidden = true;
    const name = await add([...event.dataTransfer.files]).catch(told);
    if (name) viewer.openFile(name);
    canvas.focus();
  });
  canvas.addEventListener("webglcontextlost", (event) => {
    // Only then is it restored.
    event.preventDefault();
    viewer.contextLost();
  });
  canvas.addEventListener("webglcontextrestored", () => viewer.contextRestored());
  // The title of the window is a property of its canvas.
  const title = () => { document.title = canvas.getAttribute("alt") ?? document.title; };
  new MutationObserver(title).observe(canvas, { attributeFilter: ["alt"] });
  title();
  addEventListener("beforeunload", (event) => {
    if (document.title.startsWith("* ")) event.preventDefault();
  });
}

async function start() {
  await init({ module_or_path: await download() });
  const chosen = await backend();
  if (!chosen) {
    return fail("No WebGPU and no WebGL2", "The viewer needs one of them. Most browsers since 2022 have WebGL2: look for "
      + "“hardware acceleration” in the settings, or try another browser.");
  }
  viewer.start(chosen);
  listen();
  element("loading").hidden = true;
  canvas.focus();
}

/** What tests ask. Positions are in CSS pixels of the window. */
window.viewer = {
  ready: start().catch((error) => {
    element("reasons").textContent = `${error.message ?? error}`;
    fail("The viewer could not be loaded", "Load the page again, or try an up-to-date browser.");
    throw error;
  }),
  state: () => JSON.parse(viewer.state() ?? "null"),
  /** Waits until everything that has happened is drawn. */
  async rest() {
    for (let frames = 0, still = 0; frames < 1200; frames += 1) {
      await new Promise(requestAnimationFrame);
      const state = this.state();
      still = state?.at_rest ? still + 1 : 0;
      if (still >= 3) return state;
    }
    throw new Error(`the viewer never comes to rest: ${viewer.state()}`);
  },
  position: (x, y, z) => [...viewer.pxOf(x, y, z)].map((px) => px / devicePixelRatio),
  lose() {
    if (this.state().backend !== "gl") return viewer.lose();
    const extension = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
    extension.loseContext();
    setTimeout(() => extension.restoreContext(), 100);
  },
};
