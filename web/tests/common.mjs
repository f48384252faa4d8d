// A server for the pages, and what tests of all browsers share.
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve } from "node:path";
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

/** What Chromium needs for each back end without a GPU. */
export const flags = {
  webgpu: ["--no-sandbox", "--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--use-angle=swiftshader"],
  webgl: ["--no-sandbox"],
};

/** Multiplies a matrix, column by column, with a vector. */
const times = (m, v) => [0, 1, 2, 3].map((row) => m[row] * v[0] + m[4 + row] * v[1] + m[8 + row] * v[2] + m[12 + row] * v[3]);

/**
 * The displacement along an axis that brings the point under one pixel to another: the cursor is projected onto the
 * drawn axis, where homogeneous pixels are linear in the displacement.
 */
export function along({ clipFromWorld, viewport: [left, top, width, height] }, pivot, axis, from, to) {
  const homogeneous = (point) => {
    const [x, y, , w] = times(clipFromWorld, point);
    return [left * w + (x + w) * 0.5 * width, top * w + (w - y) * 0.5 * height, w];
  };
  const a = homogeneous([...pivot, 1]);
  const b = homogeneous([...axis, 0]);
  const origin = [a[0] / a[2], a[1] / a[2]];
  const ahead = [(a[0] + b[0]) / (a[2] + b[2]) - origin[0], (a[1] + b[1]) / (a[2] + b[2]) - origin[1]];
  const length = Math.hypot(...ahead);
  const u = [ahead[0] / length, ahead[1] / length];
  const at = (px) => {
    const s = (px[0] - origin[0]) * u[0] + (px[1] - origin[1]) * u[1];
    return (s * a[2]) / ((b[0] - origin[0] * b[2]) * u[0] + (b[1] - origin[1] * b[2]) * u[1] - s * b[2]);
  };
  return at(to) - at(from);
}

export const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Reads the arguments of a program that tests a page in Chromium. */
export function program(name) {
  const modules = process.env.NODE_MODULES ?? join(root, "web/node_modules");
  const { chromium } = createRequire(join(resolve(modules), "tests.cjs"))("playwright-core");
  const [folder, ...rest] = process.argv.slice(2);
  if (!folder) throw new Error(`usage: ${name} PAGE [--backend webgpu|webgl] [--shots FOLDER] [--only WORD]`);
  const option = (name) => (rest.includes(name) ? rest[rest.indexOf(name) + 1] : undefined);
  return { folder, option, chromium };
}

/** Runs tests one by one, and counts those that pass. `failed` is called after each of the others. */
export function runner(backend, only, failed = async () => {}) {
  const counts = { passed: 0 };
  counts.test = async (name, act) => {
    if (only && !name.includes(only)) return;
    const start = Date.now();
    try {
      await act();
      console.log(`ok ${backend}: ${name} (${Date.now() - start} ms)`);
      counts.passed++;
    } catch (error) {
      console.error(`FAILED ${backend}: ${name}\n${error.stack}`);
      await failed();
      process.exitCode = 1;
    }
  };
  return counts;
}

/** Prints the errors of a page, and makes those that it throws fail the program. */
export function watch(page) {
  page.on("pageerror", (error) => { console.error(`  page: ${error.message}`); process.exitCode = 1; });
  page.on("console", (message) => { if (message.type() === "error") console.error(`  console: ${message.text()}`); });
}

/** Runs the tests of the back ends that were asked for. */
export async function runAll({ folder, option }, run) {
  const { address, stop } = await serve(folder);
  const chosen = (name) => [undefined, name].includes(option("--backend"));
  for (const backend of ["webgpu", "webgl"].filter(chosen)) await run(backend, address);
  stop();
}
