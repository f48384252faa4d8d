// The page around the viewer: it gives it files, and downloads those that it saves.
import { download, fail, loaded, openBackend } from "./loader.js";
import init, * as viewer from "./viewer_wasm.js";

const element = (id) => document.getElementById(id);
const canvas = element("viewer");

/** The viewer reads files up to this size, as natively. */
const MAX_BYTES = 2 ** 31 - 1;

/** Throws an error if the browser has no WebGL2. The viewer's canvas belongs to one back end for good. */
function checkBackend(name) {
  if (name === "webgl") {
    const context = document.createElement("canvas").getContext("webgl2");
    if (!context) throw new Error("no context");
    context.getExtension("WEBGL_lose_context")?.loseContext();
  }
  return name;
}

let choices = 0;

/** Gives files to the viewer, in a folder of their own. Returns the path of the scene among them. */
async function add(files) {
  const folder = ++choices;
  const path = (file) => `${folder}/${file.name}`;
  const names = files.map((file) => file.name);
  for (const file of files) {
    if (file.size > MAX_BYTES) throw new Error(`${file.name}: is too large: files must be smaller than 2 GiB`);
    // They are found by their names, whatever their folders were.
    if (names.indexOf(file.name) !== names.lastIndexOf(file.name)) throw new Error(`${file.name}: was chosen twice, from two folders`);
    viewer.addFile(path(file), new Uint8Array(await file.arrayBuffer()));
  }
  // A file that is no scene is opened, too: the viewer says what is wrong with it.
  const scene = files.find((file) => /\.gl(b|tf)$/i.test(file.name)) ?? files[0];
  return scene ? path(scene) : null;
}

const told = (error) => { alert(`Could not open ${error.message ?? error}`); return null; };

let choosing = null;

/**
 * Opens the browser's dialog for files. Browsers open it only shortly after a key or a click: later, such as after a
 * slow frame, a button of the page asks for that click.
 */
function openDialog() {
  const canOpen = navigator.userActivation?.isActive ?? true;
  if (canOpen) return element("files").click();
  element("ask").returnValue = "";
  element("ask").showModal();
}

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
      openDialog();
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
  /** Replaces the viewer by a text. If there are unsaved changes, `bytes` is the file with them. */
  failed(why, name, bytes) {
    fail("stopped", why);
    if (!bytes) return;
    const keep = element("keep");
    keep.textContent = `Download ${name} with the unsaved changes`;
    keep.hidden = false;
    keep.onclick = () => {
      window.viewerPage.download(name, bytes);
      // Nothing is lost any longer.
      document.title = document.title.replace(/^\* /, "");
    };
    keep.focus();
  },
};

/**
 * Gives the events of a pointer that enters or leaves an element the modifiers of the last key. Chromium on Linux tells
 * none when an element appears or disappears under a pointer at rest, and winit would let go of a key that is held.
 */
function keepModifiers() {
  let held = {};
  const keep = (event) => {
    for (const name of ["ctrlKey", "shiftKey", "altKey", "metaKey"]) Object.defineProperty(event, name, { value: held[name] ?? false });
  };
  for (const type of ["keydown", "keyup"]) addEventListener(type, (event) => { held = event; }, true);
  addEventListener("blur", () => { held = {}; }, true);
  for (const type of ["pointerover", "pointerout"]) addEventListener(type, keep, true);
}

function listen() {
  keepModifiers();
  const ask = element("ask");
  // Within the click, as browsers require.
  ask.querySelector("[value=choose]").addEventListener("click", () => element("files").click());
  ask.addEventListener("close", () => {
    // This event can come after the dialog is open again.
    if (!ask.open && ask.returnValue !== "choose") choosing?.(null);
  });
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
  await init({ module_or_path: await download("viewer_wasm") });
  const backend = await openBackend(checkBackend);
  if (!backend) return;
  viewer.start(backend);
  listen();
  loaded();
  canvas.focus();
}

/** What tests ask. Positions are in CSS pixels of the window. */
window.viewer = {
  ready: start().catch((error) => {
    fail("broken", `${error.message ?? error}`);
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
