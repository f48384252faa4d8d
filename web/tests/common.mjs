// A server for the pages, and what tests of all browsers share.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const site = process.env.SITE ?? join(root, "target/site");

const types = {
  ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css",
};

/** Serves a folder, and returns the address and how to stop. */
export async function serve(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://host").pathname));
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    try {
      const body = await readFile(file);
      response.writeHead(200, { "content-type": types[extname(file)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() };
}

/** Runs in the page: waits until frames are drawn and nothing is pending. */
export const settle = async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  for (let i = 0; i < 3; i += 1) await frame();
  for (let i = 0; i < 600 && (window.mustDraw || window.page.needs_frame()); i += 1) await frame();
  if (window.page.needs_frame()) throw new Error("the page never comes to rest");
};

/** Runs in the page: asks for the ids at pixels, at most `inFlight` at a time. */
export const idsAt = async (pixels) => {
  const found = [];
  let next = 0;
  const start = performance.now();
  while (found.length < pixels.length) {
    while (next < pixels.length && window.page.ask(pixels[next][0], pixels[next][1])) next += 1;
    for (let answer = window.page.answer(); answer.length; answer = window.page.answer()) found.push([...answer]);
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (performance.now() - start > 240000) throw new Error(`only ${found.length} answers`);
  }
  return found;
};

/** Runs in the page: repeats a call until it returns something. */
export const until = async ([name, ...values]) => {
  for (let i = 0; i < 2000; i += 1) {
    const answer = window.page[name](...values);
    if (answer !== undefined) return [...answer];
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`${name} never answers`);
};
