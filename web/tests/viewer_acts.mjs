// What people do in the viewer's page, in any browser.
import assert from "node:assert/strict";
import { along } from "./common.mjs";

export const settled = (page) => page.evaluate(() => window.viewer.rest());
export const origin = (state, node) => state.nodes[node].slice(12, 15);
export const position = (page, point) => page.evaluate((point) => window.viewer.position(...point), point);

/** Clicks on the middle of a node. */
export async function select(page, node) {
  await page.mouse.click(...(await position(page, origin(await settled(page), node))));
  return settled(page);
}

/** Returns the axis of the x arrow of a selected node, and a point of the window on it. */
export async function xArrow(page, node) {
  const state = await settled(page);
  const start = origin(state, node);
  const column = state.nodes[node].slice(0, 3);
  const axis = column.map((x) => x / Math.hypot(...column));
  const at = await position(page, start);
  const ahead = await position(page, start.map((x, i) => x + axis[i] * 0.1));
  const length = Math.hypot(ahead[0] - at[0], ahead[1] - at[1]);
  return { axis, from: at.map((x, i) => Math.round(x + ((ahead[i] - x) / length) * 60)) };
}

/** A finger, with the functions of a mouse. */
export function finger(client) {
  let at = [0, 0];
  let isDown = false;
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
  return {
    down: () => { isDown = true; return touch("touchStart", [at]); },
    move: async (...to) => { at = to; if (isDown) await touch("touchMove", [to]); },
    up: () => { isDown = false; return touch("touchEnd", []); },
  };
}

/** Drags the x arrow of the selected node, and returns how far along it the closed form goes. */
export async function dragAlongX(page, node, { pointer = page.mouse, onDragged = async () => {} } = {}) {
  const by = [67, -11];
  const before = await settled(page);
  const start = origin(before, node);
  const { axis, from } = await xArrow(page, node);
  await pointer.move(...from);
  await settled(page);
  await pointer.down();
  const pressed = await settled(page);
  await pointer.move(from[0] + by[0] / 2, from[1]);
  await pointer.move(from[0] + by[0], from[1] + by[1]);
  const released = await settled(page);
  await onDragged(released);
  await pointer.up();
  const after = await settled(page);
  const view = { clipFromWorld: before.clip_from_world, viewport: before.viewport };
  const expected = along(view, start, axis, pressed.pointer_px, released.pointer_px);
  const now = origin(after, node);
  assert.ok(Math.abs(expected) > 0.05, `the drag is short: ${expected}`);
  const moved = now.map((x, i) => x - start[i]);
  moved.forEach((x, i) => assert.ok(Math.abs(x - expected * axis[i]) <= 1e-9, `${moved}, not ${expected} along ${axis}`));
  return { start, now };
}
