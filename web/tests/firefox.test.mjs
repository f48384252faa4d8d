// Drives the pages in Firefox on WebGL2, which is the combination that refuses to read `R32Uint` back. `FIREFOX` is the
// browser. It needs a display, such as that of Xvfb: Firefox has no WebGL without one.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import puppeteer from "puppeteer-core";
import { serve, site } from "./common.mjs";
import * as gallery from "./gallery_acts.mjs";
import * as viewer from "./viewer_acts.mjs";

describe("Firefox on WebGL2", () => {
  let server;
  let browser;
  let page;
  before(async () => {
    server = await serve(site);
    browser = await puppeteer.launch({
      browser: "firefox",
      executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
      headless: !process.env.DISPLAY,
      extraPrefsFirefox: { "webgl.force-enabled": true },
      env: { ...process.env, LIBGL_ALWAYS_SOFTWARE: "1" },
    });
    page = await browser.newPage();
    await page.setViewport({ width: 800, height: 600 });
    page.on("pageerror", (error) => { console.error(error.message); process.exitCode = 1; });
  });
  after(async () => {
    await browser?.close();
    server.stop();
  });

  /** Moves the pointer onto a handle, and asserts that only this changes the pixels around it. */
  async function assertHighlights(on, rest) {
    // Beside every handle and object.
    const away = on[1] > 300 ? -150 : 150;
    const shots = [];
    for (const [x, y] of [[0, away], [4, away], [0, 0]]) {
      await page.mouse.move(on[0] + x, on[1] + y);
      await rest();
      shots.push(await page.screenshot({ captureBeyondViewport: false, encoding: "base64" }));
    }
    const [elsewhere, highlighted] = await page.evaluate(countChanged, shots, on);
    console.log(`highlighted_pixels_firefox: ${highlighted}`);
    assert.equal(elsewhere, 0);
    assert.ok(highlighted >= 40, `${highlighted} pixels`);
  }

  test("the gallery hovers, drags, and finds the ids of the CPU", async () => {
    await page.goto(`${server.address}/gallery/?backend=webgl`);
    await page.evaluate(() => window.gallery.ready);
    assert.equal(await gallery.ask(page, "backend"), "webgl");
    await gallery.show(page, "translate");
    const on = await gallery.onArrow(page, "translate");
    const rest = () => gallery.ask(page, "idle", "translate");
    await assertHighlights(on, rest);
    assert.equal(await gallery.ask(page, "hovered", "translate"), "translate_x");
    await gallery.dragAlongX(page);
    await gallery.idsEqualCpu(page);
  });

  test("the viewer selects and drags", async () => {
    await page.goto(`${server.address}/viewer/?backend=webgl`);
    await page.evaluate(() => window.viewer.ready);
    await page.waitForFunction(() => window.viewer.state() !== null);
    assert.deepEqual((await viewer.select(page, "ball")).selected.length, 1);
    const { from } = await viewer.xArrow(page, "ball");
    await assertHighlights(from, () => viewer.settled(page));
    await viewer.dragAlongX(page, "ball");
  });
});

/** Runs in the page: returns the number of pixels around a point in which each other PNG differs from the first. */
async function countChanged(pngs, [x, y]) {
  const [first, ...others] = await Promise.all(pngs.map(async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return new Uint32Array(context.getImageData(x - 40, y - 40, 80, 80).data.buffer);
  }));
  return others.map((other) => first.filter((pixel, i) => pixel !== other[i]).length);
}
