// Drives the page in Chromium, on WebGPU and on WebGL2. `SITE` is the folder that web/site has written, and
// `CHROMIUM` the browser.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";
import { idsAt, root, serve, settle, site, until } from "./common.mjs";

const quiet = [
  "--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--no-first-run", "--disable-quic",
];
const webgpu = [
  "--enable-unsafe-webgpu", "--enable-features=Vulkan", "--use-vulkan=swiftshader", "--use-angle=swiftshader",
];
const backends = [
  { name: "webgpu", expected: "BrowserWebGpu", flags: webgpu },
  { name: "webgl", expected: "Gl", flags: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] },
];
const size = { width: 800, height: 600 };
let server;
before(async () => {
  server = await serve(site);
});
after(() => server.stop());

for (const { name, expected, flags } of backends) {
  describe(name, () => {
    let browser;
    let page;
    before(async () => {
      browser = await chromium.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: [...quiet, ...flags],
      });
    });
    after(() => browser.close());

    /** Opens the page in a context of its own. */
    async function open(options = {}) {
      const context = await browser.newContext({ viewport: size, ...options });
      page = await context.newPage();
      page.errors = [];
      page.on("pageerror", (error) => page.errors.push(String(error)));
      page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
      await page.goto(`${server.address}/page/?backend=${name}`);
      await page.waitForFunction(() => window.isReady || window.failure, null, { timeout: 60000 });
      assert.equal(await page.evaluate(() => window.failure), undefined);
      await page.evaluate(settle);
      return page;
    }
    async function close() {
      assert.deepEqual(page.errors, []);
      await page.context().close();
    }
    const rest = () => page.evaluate(settle);
    const spot = async (handle) => {
      const found = await page.evaluate((handle) => window.page.spot_of(handle)?.join(), handle);
      assert.ok(found, `${handle} is shown`);
      return found.split(",").map(Number);
    };
    const translation = () => page.evaluate(() => [...window.page.translation()]);
    const alongX = (x, y) => page.evaluate(([x, y]) => window.page.along_x(x, y), [x, y]);
    /** Asserts that the target has moved along x by what the closed form says. */
    async function assertMoved(from, to, start = 0) {
      const [x, y, z] = await translation();
      const expected = start + (await alongX(...to)) - (await alongX(...from));
      assert.ok(Math.abs(expected - start) > 0.1, "the drag is worth a test");
      assert.ok(Math.abs(x - expected) < 1e-9, `${x} instead of ${expected}`);
      assert.deepEqual([y, z], [0, 0]);
    }
    /** Drags the x arrow with the mouse. */
    async function dragX() {
      const from = await spot("translate_x");
      const to = [from[0] + 60, from[1] + 25];
      await page.mouse.move(...from);
      await rest();
      await page.mouse.down();
      await rest();
      await page.mouse.move((from[0] + to[0]) / 2, from[1]);
      await rest();
      await page.mouse.move(...to);
      await rest();
      return { from, to };
    }

    test("the backend is the one that was asked for", async () => {
      await open();
      assert.equal(await page.evaluate(() => window.page.backend()), expected);
      await close();
    });

    test("pixels are drawn, and hover highlights a handle", async () => {
      await open();
      const before = await page.screenshot({ path: process.env.PICTURES && join(process.env.PICTURES, `${name}.png`) });
      const count = await page.evaluate(colors, before.toString("base64"));
      assert.ok(count > 100, `only ${count} colors are drawn`);
      const frames = await page.evaluate(() => window.page.frames());
      await page.mouse.move(...(await spot("translate_x")));
      await rest();
      assert.equal(await page.evaluate(() => window.page.hovered()), "translate_x");
      const drawn = (await page.evaluate(() => window.page.frames())) - frames;
      console.log(`hover_frames_${name}: ${drawn}`);
      assert.ok(drawn >= 1 && drawn <= 2, `${drawn} frames`);
      const hovered = await page.screenshot();
      assert.notDeepEqual(hovered, before);
      // At rest nothing is drawn.
      const rested = await page.evaluate(() => window.page.frames());
      await page.waitForTimeout(300);
      assert.equal(await page.evaluate(() => window.page.frames()), rested);
      await close();
    });

    test("a drag of the x arrow follows the closed form", async () => {
      await open();
      const { from, to } = await dragX();
      await assertMoved(from, to);
      await page.mouse.up();
      await rest();
      await assertMoved(from, to);
      const events = (await page.evaluate(() => window.page.take_events())).split(" ");
      assert.equal(events[0], "started");
      assert.equal(events.at(-1), "ended");
      await close();
    });

    test("a second button cancels a drag, and then nothing follows the mouse", async () => {
      await open();
      const [x, y] = await spot("translate_x");
      await page.mouse.move(x, y);
      await rest();
      await page.mouse.down();
      await page.mouse.move(x + 40, y);
      await rest();
      assert.notDeepEqual(await translation(), [0, 0, 0]);
      await page.mouse.down({ button: "right" });
      await rest();
      assert.deepEqual(await translation(), [0, 0, 0]);
      await page.mouse.up();
      await page.mouse.up({ button: "right" });
      await page.mouse.move(x + 90, y + 30);
      await rest();
      assert.deepEqual(await translation(), [0, 0, 0]);
      await close();
    });

    test("ids of 200 pixels equal those of the CPU and of the native build", async () => {
      await open();
      const native = JSON.parse(await readFile(join(root, "web/tests/ids.json"), "utf8"));
      assert.equal(native.length, 200);
      const found = await page.evaluate(idsAt, native);
      const cpu = await page.evaluate(
        (pixels) => pixels.map(([x, y]) => [x, y, window.page.id_on_cpu(x, y)]), native,
      );
      const wrong = native.filter((row, i) => String(row) !== String(found[i]) || String(row) !== String(cpu[i]));
      console.log(`ids_wrong_${name}: ${wrong.length}`);
      assert.deepEqual(wrong, []);
      await close();
    });

    test("regions find visible objects, and refuse occluded ones by name", async () => {
      await open();
      await page.evaluate(() => window.page.ask_visible());
      const seen = await page.evaluate(until, ["visible", [0, 0, 800, 600]]);
      assert.equal(seen.length, 4);
      const refused = await page.evaluate(() => {
        try {
          window.page.ask_all([0, 0, 800, 600]);
          return null;
        } catch (error) {
          return String(error);
        }
      });
      assert.match(refused, /occluded.*IdImage/);
      await close();
    });

    test("a finger drags", async () => {
      await open({ hasTouch: true });
      const from = await spot("translate_x");
      const to = [from[0] + 50, from[1] + 20];
      const client = await page.context().newCDPSession(page);
      const touch = (type, points) =>
        client.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
      await touch("touchStart", [from]);
      await rest();
      await touch("touchMove", [[from[0] + 20, from[1]]]);
      await rest();
      await touch("touchMove", [to]);
      await rest();
      await assertMoved(from, to);
      await touch("touchEnd", []);
      await rest();
      await assertMoved(from, to);
      assert.equal(await page.evaluate(() => window.page.hovered()), undefined);
      await close();
    });

    test("a drag goes on while the canvas is resized", async () => {
      await open();
      const { from, to } = await dragX();
      await assertMoved(from, to);
      const start = (await translation())[0];
      await page.setViewportSize({ width: 900, height: 500 });
      await rest();
      // A drag holds its view, or goes on in the new one from where the pointer is: the target does not jump.
      const [held] = await translation();
      await page.mouse.move(to[0] + 1, to[1]);
      await rest();
      const [next] = await translation();
      assert.ok(Math.abs(next - held) < 0.2 && Math.abs(held - start) < 0.5, `${start} ${held} ${next}`);
      assert.ok(await page.evaluate(() => window.page.is_dragging()));
      await page.mouse.up();
      await rest();
      assert.ok(!(await page.evaluate(() => window.page.is_dragging())));
      const [ended] = await translation();
      assert.ok(Math.abs(ended - next) < 1e-9);
      await close();
    });

    test("a scale factor of 2 keeps picks and drags", async () => {
      await open({ deviceScaleFactor: 2 });
      assert.equal(await page.evaluate(() => document.querySelector("canvas").width), 1600);
      const { from, to } = await dragX();
      await assertMoved(from, to);
      await page.mouse.up();
      await rest();
      await close();
    });

    test("a lost context is built again, and the drag goes on", async () => {
      await open();
      const { from, to } = await dragX();
      if (name === "webgpu") {
        await page.evaluate(() => window.page.destroy());
      } else {
        await page.evaluate(async () => {
          const canvas = document.querySelector("canvas");
          const extension = canvas.getContext("webgl2").getExtension("WEBGL_lose_context");
          const lost = new Promise((resolve) => canvas.addEventListener("webglcontextlost", resolve));
          extension.loseContext();
          await lost;
          setTimeout(() => extension.restoreContext(), 50);
        });
      }
      await page.waitForFunction(() => window.rebuilt === 1, null, { timeout: 30000 });
      await rest();
      const farther = [to[0] + 20, to[1] + 5];
      await page.mouse.move(...farther);
      await rest();
      await assertMoved(from, farther);
      await page.mouse.up();
      await page.mouse.move(5, 5);
      await rest();
      const picture = await page.screenshot();
      assert.ok((await page.evaluate(colors, picture.toString("base64"))) > 100, "the scene is drawn again");
      await page.mouse.move(...(await spot("translate_y")));
      await rest();
      assert.equal(await page.evaluate(() => window.page.hovered()), "translate_y");
      page.errors = page.errors.filter((text) => !/lost|CONTEXT_LOST|destroyed/i.test(text));
      await close();
    });

    test("a hidden tab goes on when it is shown", async () => {
      await open();
      const from = await spot("translate_x");
      const hider = await page.context().newPage();
      await hider.goto("about:blank");
      await hider.bringToFront();
      await hider.waitForTimeout(300);
      await page.bringToFront();
      await page.mouse.move(...from);
      await rest();
      assert.equal(await page.evaluate(() => window.page.hovered()), "translate_x");
      await close();
    });

    test("memory is flat over ten thousand picks", async () => {
      await open();
      const pixels = Array.from({ length: 1000 }, (_, i) => [300 + (i * 7) % 200, 200 + (i * 13) % 200]);
      await page.evaluate(idsAt, pixels);
      const before = await page.evaluate(() => window.page.memory_bytes());
      for (let i = 0; i < 10; i += 1) await page.evaluate(idsAt, pixels);
      const grown = (await page.evaluate(() => window.page.memory_bytes())) - before;
      console.log(`memory_growth_bytes_${name}: ${grown}`);
      assert.ok(grown <= 131072, `${grown} bytes`);
      await close();
    });
  });
}

/** Runs in the page: returns the number of different colors of a PNG. */
async function colors(base64) {
  const image = new Image();
  image.src = `data:image/png;base64,${base64}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  return new Set(new Uint32Array(data.buffer)).size;
}
