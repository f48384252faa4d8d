// What the pages for visitors do before there is a picture: the download with its progress, the choice of a back end,
// and the text that stands there where nothing can be drawn. web/site copies it beside each page.

const element = (id) => document.getElementById(id);

/** Downloads the module NAME_bg.wasm beside the page, and shows the progress. */
export async function download(name) {
  const file = `${name}_bg.wasm`;
  const response = await fetch(new URL(file, import.meta.url));
  if (!response.ok) throw new Error(`${file}: ${response.status}`);
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
  performance.mark("downloaded");
  return WebAssembly.compile(await new Blob(chunks).arrayBuffer());
}

/**
 * Opens the first back end that works: WebGPU, then WebGL2, or the one that the address asks for. Returns null if none
 * does, and then shows why.
 */
export async function openBackend(open) {
  const all = ["webgpu", "webgl"];
  const asked = new URLSearchParams(location.search).get("backend");
  const reasons = [];
  for (const name of all.includes(asked) ? [asked] : all) {
    try {
      if (name === "webgpu" && !(await navigator.gpu?.requestAdapter())) throw new Error("no adapter");
      return await open(name);
    } catch (error) {
      reasons.push(`${name}: ${error.message ?? error}`);
    }
  }
  fail("none", reasons.join("\n"));
  return null;
}

/** Hides the progress: there is something to see. */
export function loaded() {
  element("loading").hidden = true;
}

/**
 * Shows why there is nothing to see: `none` if no back end works, `broken` if the module cannot be loaded, or another
 * text that the page has.
 */
export function fail(why, reasons) {
  loaded();
  element("failed").hidden = false;
  for (const part of element("failed").querySelectorAll("[data-why]")) part.hidden = part.dataset.why !== why;
  element("reasons").textContent = reasons;
}
