// What visitors of the gallery do, in any browser.
import assert from "node:assert/strict";
import { along } from "./common.mjs";

/** Calls a function of window.gallery. */
export const ask = (page, name, ...given) => page.evaluate(([name, given]) => window.gallery[name](...given), [name, given]);

export async function show(page, scene) {
  await page.evaluate((scene) => document.querySelector(`#${scene} .stage`).scrollIntoView({ behavior: "instant", block: "center" }), scene);
  await ask(page, "idle", scene);
}

export async function origin(page, scene, object = 0) {
  return (await ask(page, "matrix", scene, object)).slice(12, 15);
}

/** Returns a point of the window on an arrow, in CSS pixels. */
export async function onArrow(page, scene, axis = [1, 0, 0], length = 60) {
  const pivot = await origin(page, scene);
  const from = await ask(page, "position", scene, ...pivot);
  const toward = await ask(page, "position", scene, ...pivot.map((x, i) => x + axis[i] * 0.1));
  const ahead = [toward[0] - from[0], toward[1] - from[1]];
  const scale = length / Math.hypot(...ahead);
  return [Math.round(from[0] + ahead[0] * scale), Math.round(from[1] + ahead[1] * scale)];
}

export const lens = async (page, scene) => ({ clipFromWorld: await ask(page, "clipFromWorld", scene), viewport: await ask(page, "viewportPx", scene) });

export function near(actual, expected, tolerance, message) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${message}: ${actual}, not ${expected}`);
}

/** Compares the ids of an image with those of the CPU, at 200 pixels of which most are on handles. */
export async function idsEqualCpu(page) {
  await page.mouse.move(1, 1);
  await show(page, "universal");
  const { width, height, ids } = await ask(page, "ids", "universal");
  const isHandle = new Map([[0, false]]);
  for (const id of new Set(ids)) if (id) isHandle.set(id, /^(translate|rotate|scale)_/.test(await ask(page, "nameOf", "universal", id)));
  const handles = ids.flatMap((id, i) => (isHandle.get(id) ? [i] : []));
  const at = (k) => (k % 4 ? handles[Math.floor((k * 0.754877) % 1 * handles.length)] : Math.floor((k * 0.56984) % 1 * ids.length));
  const texels = Array.from({ length: 200 }, (_, k) => at(k));
  const pixels = texels.map((texel) => [texel % width, Math.floor(texel / width)]);
  const cpu = await ask(page, "handlesOnCpu", "universal", pixels);
  const wrong = texels.flatMap((texel, k) => ((isHandle.get(ids[texel]) ? ids[texel] : 0) === cpu[k] ? [] : [[...pixels[k], ids[texel], cpu[k]]]));
  assert.deepEqual(wrong, []);
  const found = new Set(cpu);
  assert.ok(found.size >= 8 && ids.length === width * height, `${found.size} handles`);
}

/** Drags along x with the mouse, and compares with the closed form. */
export async function dragAlongX(page, by = [71, -13]) {
  await show(page, "translate");
  const start = await origin(page, "translate");
  const from = await onArrow(page, "translate");
  const view = await lens(page, "translate");
  await page.mouse.move(...from);
  await ask(page, "idle", "translate");
  await page.mouse.down();
  await ask(page, "idle", "translate");
  const pressed = await ask(page, "pointerPx", "translate");
  await page.mouse.move(from[0] + by[0] / 2, from[1]);
  await page.mouse.move(from[0] + by[0], from[1] + by[1]);
  await ask(page, "idle", "translate");
  const released = await ask(page, "pointerPx", "translate");
  assert.equal(await ask(page, "dragging", "translate"), "translate_x");
  await page.mouse.up();
  await ask(page, "idle", "translate");
  const expected = along(view, start, [1, 0, 0], pressed, released);
  const now = await origin(page, "translate");
  assert.ok(Math.abs(expected) > 0.2, `the drag is short: ${expected}`);
  near(now[0] - start[0], expected, 1e-9, "x");
  assert.deepEqual(now.slice(1), start.slice(1));
  return start;
}
