// Tests of the gallery in Chromium, on WebGPU and on WebGL2.
//
//   node web/tests/gallery.mjs PAGE [--backend webgpu|webgl] [--shots FOLDER] [--only WORD]
//
// PAGE is the folder that examples/gallery/build has written. The environment: NODE_MODULES, the folder that holds
// playwright-core (web/node_modules by default); CHROMIUM, the program (/usr/bin/chromium by default).
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { along, executablePath, flags, program, runAll, runner, watch } from "./common.mjs";
import { ask, dragAlongX, idsEqualCpu, lens, near, onArrow, origin, show } from "./gallery_acts.mjs";

const { folder, option, chromium } = program("gallery.mjs");

const tests = {
  async "scenes are drawn and rest"(page, backend) {
    const names = await ask(page, "names");
    assert.equal(names.length, 12);
    assert.equal(await ask(page, "backend"), backend);
    for (const name of names) {
      await show(page, name);
      const colors = await page.evaluate((name) => {
        const canvas = document.querySelector(`#${name} .view`);
        const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size;
      }, name);
      assert.ok(colors > 40, `${name}: ${colors} colors`);
    }
    // Each quarter of the four views has a background of its own scene.
    const corners = await page.evaluate(() => {
      const canvas = document.querySelector("#views .view");
      const { width, height } = canvas;
      const at = (x, y) => [...canvas.getContext("2d").getImageData(x, y, 1, 1).data].join();
      return [at(3, height / 2 - 3), at(3, height - 3), at(width - 3, 3), at(width / 2 + 3, height / 2 + 3)];
    });
    assert.equal(new Set(corners).size, 1, corners.join(" "));
    await show(page, "translate");
    const before = await ask(page, "frames", "translate");
    await page.waitForTimeout(600);
    assert.equal(await ask(page, "frames", "translate"), before, "frames at rest");
  },

  async "hover highlights within two frames"(page) {
    await show(page, "translate");
    await page.mouse.move(1, 1);
    await ask(page, "idle", "translate");
    const [frames, picks] = [await ask(page, "frames", "translate"), await ask(page, "picks", "translate")];
    await page.mouse.move(...(await onArrow(page, "translate")));
    await ask(page, "idle", "translate");
    assert.equal(await ask(page, "hovered", "translate"), "translate_x");
    const drawn = (await ask(page, "frames", "translate")) - frames;
    assert.ok(drawn >= 1 && drawn <= 2, `${drawn} frames`);
    const asked = (await ask(page, "picks", "translate")) - picks;
    console.log(`  hover_frames ${drawn}, hover_picks ${asked}`);
  },

  async "ids of the image are those of the picks"(page) {
    await show(page, "universal");
    const { width, height, ids } = await ask(page, "ids", "universal");
    const rect = await page.evaluate(() => document.querySelector("#universal .view").getBoundingClientRect().toJSON());
    const scale = await ask(page, "perCss", "universal");
    // Pixels of one id within the tolerance, so that the answer is the texel itself.
    const radius = Math.ceil(5 * scale) + 1;
    let compared = 0;
    const seen = new Set();
    for (let k = 0; compared < 24 && k < 4000; k++) {
      const [x, y] = [Math.floor((k * 0.754877) % 1 * width), Math.floor((k * 0.569840) % 1 * height)];
      const id = ids[y * width + x];
      if (seen.has(id) && seen.size < 6 && k < 2000) continue;
      const around = Array.from({ length: 2 * radius + 1 }, (_, k) => k - radius);
      const isUniform = around.every((dy) => around.every((dx) => (ids[(y + dy) * width + x + dx] ?? -1) === id));
      if (!isUniform && id === 0) continue;
      await page.mouse.move(rect.x + (x + 0.5) / scale, rect.y + (y + 0.5) / scale);
      await ask(page, "idle", "universal");
      const [px, py] = (await ask(page, "pointerPx", "universal")).map(Math.floor);
      const expected = ids[py * width + px];
      if (expected === 0 && id !== 0) continue;
      const name = expected ? await ask(page, "nameOf", "universal", expected) : null;
      const hovered = await ask(page, "hovered", "universal");
      // A handle within the tolerance has a higher priority than the object under the pointer.
      if (isUniform) assert.equal(hovered, name, `at ${px}, ${py}`);
      else assert.notEqual(hovered, null, `at ${px}, ${py}`);
      seen.add(id);
      compared++;
    }
    assert.ok(compared >= 24 && seen.size >= 4, `${compared} pixels, ${seen.size} ids`);
  },

  async "ids of 200 pixels equal those of the CPU"(page) {
    await idsEqualCpu(page);
  },

  async "memory is flat over picks"(page) {
    await show(page, "translate");
    const [x, y] = await onArrow(page, "translate");
    const hover = async (count) => {
      const before = await ask(page, "picks", "translate");
      for (let k = 0; k < count; k++) {
        await page.mouse.move(x + (k * 7) % 40 - 20, y + (k * 13) % 40 - 20);
        if (k % 4 === 0) await page.evaluate(() => new Promise(requestAnimationFrame));
      }
      await ask(page, "idle", "translate");
      return (await ask(page, "picks", "translate")) - before;
    };
    await hover(50);
    const before = await ask(page, "memoryBytes");
    const picks = await hover(400);
    const grown = (await ask(page, "memoryBytes")) - before;
    console.log(`  ${picks} picks, ${grown} bytes`);
    assert.ok(picks >= 90, `${picks} picks`);
    // A page of wasm has 64 kB. Two are the slack of an allocator.
    assert.ok(grown <= 2 * 65536, `${grown} bytes`);
  },

  async "hidden tab goes on when it is shown"(page) {
    await show(page, "translate");
    const hider = await page.context().newPage();
    await hider.goto("about:blank");
    await hider.bringToFront();
    await hider.waitForTimeout(300);
    await page.bringToFront();
    await hider.close();
    await page.mouse.move(...(await onArrow(page, "translate")));
    await ask(page, "idle", "translate");
    assert.equal(await ask(page, "hovered", "translate"), "translate_x");
  },

  async "drag along x reaches the closed form, and undoes"(page) {
    const start = await dragAlongX(page);
    await page.keyboard.press("Control+z");
    await ask(page, "idle", "translate");
    assert.deepEqual(await origin(page, "translate"), start);
    assert.equal(await ask(page, "undo", "translate"), false);
  },

  async "escape cancels a drag"(page) {
    await show(page, "translate");
    const start = await ask(page, "matrix", "translate");
    const from = await onArrow(page, "translate");
    await page.mouse.move(...from);
    await page.mouse.down();
    await ask(page, "idle", "translate");
    await page.mouse.move(from[0] + 40, from[1]);
    await ask(page, "idle", "translate");
    assert.notDeepEqual(await ask(page, "matrix", "translate"), start);
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await ask(page, "idle", "translate");
    assert.deepEqual(await ask(page, "matrix", "translate"), start);
  },

  async "second button cancels a drag, and then nothing follows the mouse"(page) {
    await show(page, "translate");
    const start = await ask(page, "matrix", "translate");
    const [x, y] = await onArrow(page, "translate");
    const idle = () => ask(page, "idle", "translate");
    await page.mouse.move(x, y);
    await idle();
    await page.mouse.down();
    await page.mouse.move(x + 40, y);
    await idle();
    assert.equal(await ask(page, "dragging", "translate"), "translate_x");
    await page.mouse.down({ button: "right" });
    await idle();
    assert.deepEqual(await ask(page, "matrix", "translate"), start);
    await page.mouse.up();
    await page.mouse.up({ button: "right" });
    await idle();
    const view = await lens(page, "translate");
    await page.mouse.move(x + 90, y + 30);
    await idle();
    assert.deepEqual(await ask(page, "matrix", "translate"), start);
    assert.deepEqual(await lens(page, "translate"), view);
    await dragAlongX(page);
    await ask(page, "undo", "translate");
  },

  async "press outside of a scene drags nothing in it"(page) {
    await show(page, "translate");
    const start = await ask(page, "matrix", "translate");
    const heading = await page.evaluate(() => document.querySelector("#translate h2").getBoundingClientRect().toJSON());
    await page.mouse.move(heading.x + 3, heading.y + 3);
    await page.mouse.down();
    const [x, y] = await onArrow(page, "translate");
    await page.mouse.move(x, y);
    await ask(page, "idle", "translate");
    await page.mouse.move(x + 40, y);
    await ask(page, "idle", "translate");
    await page.mouse.up();
    await ask(page, "idle", "translate");
    assert.deepEqual(await ask(page, "matrix", "translate"), start);
  },

  async "wheel scrolls the page, or zooms the scene that has the focus"(page) {
    const distance = async () => (await lens(page, "translate")).clipFromWorld[15];
    const scrolled = () => page.evaluate(() => scrollY);
    await show(page, "translate");
    await page.evaluate(() => document.activeElement.blur());
    const rect = await page.evaluate(() => document.querySelector("#translate .view").getBoundingClientRect().toJSON());
    await page.mouse.move(rect.x + 20, rect.y + 20);
    await ask(page, "idle", "translate");
    const [from, top] = [await distance(), await scrolled()];
    await page.mouse.wheel(0, 120);
    await page.waitForFunction((top) => scrollY > top, top);
    assert.equal(await distance(), from);
    await show(page, "translate");
    await page.focus("#translate .view");
    const shown = await scrolled();
    await page.mouse.wheel(0, -120);
    await page.waitForTimeout(300);
    await ask(page, "idle", "translate");
    assert.ok((await distance()) < from * 0.95, "one notch is nearer");
    await page.mouse.wheel(0, 120);
    await page.waitForTimeout(300);
    await ask(page, "idle", "translate");
    near(await distance(), from, 1e-9, "the distance after one notch back");
    assert.equal(await scrolled(), shown, "the page stays");
  },

  async "wheel nudges a hovered ring if that is on"(page) {
    await show(page, "rotate");
    await page.evaluate(() => document.activeElement.blur());
    const { width, ids } = await ask(page, "ids", "rotate");
    const names = new Map();
    for (const id of new Set(ids)) names.set(id, id && (await ask(page, "nameOf", "rotate", id)));
    const texel = ids.findIndex((id) => names.get(id) === "rotate_y");
    const at = [texel % width, Math.floor(texel / width)];
    const rect = await page.evaluate(() => document.querySelector("#rotate .view").getBoundingClientRect().toJSON());
    const perCss = await ask(page, "perCss", "rotate");
    await page.mouse.move(rect.x + (at[0] + 0.5) / perCss, rect.y + (at[1] + 0.5) / perCss);
    await ask(page, "idle", "rotate");
    assert.equal(await ask(page, "hovered", "rotate"), "rotate_y");
    const before = await ask(page, "matrix", "rotate");
    const toggle = (isOn) => page.evaluate((isOn) => {
      const label = [...document.querySelectorAll("#rotate .controls label")].find((label) => label.textContent === "Wheel nudges");
      if (label.querySelector("input").checked !== isOn) label.querySelector("input").click();
    }, isOn);
    await toggle(true);
    const top = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, -120);
    await page.waitForTimeout(300);
    await ask(page, "idle", "rotate");
    const after = await ask(page, "matrix", "rotate");
    const cos = [0, 1, 2].reduce((sum, i) => sum + before[i] * after[i], 0);
    assert.equal(await page.evaluate(() => scrollY), top, "the page stays");
    near((Math.acos(cos) * 180) / Math.PI, 5, 1e-6, "degrees of one notch");
    await ask(page, "undo", "rotate");
    await ask(page, "idle", "rotate");
    assert.deepEqual(await ask(page, "matrix", "rotate"), before);
    await toggle(false);
    await ask(page, "idle", "rotate");
  },

  async "lasso selects, and Shift adds"(page) {
    await show(page, "select");
    const around = async (object) => {
      const [x, y] = await ask(page, "position", "select", ...(await origin(page, "select", object)));
      await page.mouse.move(x - 4, y - 4);
      await ask(page, "idle", "select");
      await page.mouse.down();
      await ask(page, "idle", "select");
      for (const [dx, dy] of [[4, -4], [4, 4], [-4, 4], [-4, -3]]) await page.mouse.move(x + dx, y + dy);
      await ask(page, "idle", "select");
      const drawn = await page.evaluate(() => document.querySelector("#select polygon").getAttribute("points"));
      assert.ok(drawn.split(" ").length >= 5, `the lasso is shown: ${drawn}`);
      await page.mouse.up();
      await ask(page, "idle", "select");
    };
    await around(54);
    assert.deepEqual(await ask(page, "selected", "select"), [54]);
    await page.keyboard.down("Shift");
    await around(60);
    await page.keyboard.up("Shift");
    assert.deepEqual(await ask(page, "selected", "select"), [54, 60]);
  },

  async "keyboard alone moves a target"(page) {
    await show(page, "translate");
    const start = await origin(page, "translate");
    // From the link of the scene to its canvas by Tab alone.
    await page.evaluate(() => document.querySelector("#translate h2").scrollIntoView({ behavior: "instant" }));
    await page.focus('a[href="#views"]');
    for (let k = 0; k < 3 && (await page.evaluate(() => !document.activeElement.matches("#translate .view"))); k++) await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement.matches("#translate .view:focus-visible")), "focus is visible");
    for (const key of ["x", "1", ".", "5"]) {
      await page.keyboard.press(key);
      await ask(page, "idle", "translate");
    }
    assert.match(await page.evaluate(() => document.querySelector("#translate .readout").textContent), /1\.5/);
    await page.keyboard.press("Enter");
    await ask(page, "idle", "translate");
    assert.equal((await origin(page, "translate"))[0], start[0] + 1.5);
    await page.keyboard.press("Control+z");
    await ask(page, "idle", "translate");
    assert.deepEqual(await origin(page, "translate"), start);
    // Tab leaves the canvas.
    await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement.closest("#translate .controls") !== null));
  },

  async "form moves by a number, and says why not"(page) {
    await show(page, "rotate");
    await page.selectOption("#rotate [name=handle]", "rotate_y");
    await page.fill("#rotate [name=amount]", "90");
    await page.click("#rotate form button");
    await ask(page, "idle", "rotate");
    const matrix = await ask(page, "matrix", "rotate");
    near(matrix[0], 0, 1e-12, "a turned x axis");
    await page.fill("#rotate [name=amount]", "many");
    await page.click("#rotate form button");
    assert.match(await page.textContent("#rotate .answer"), /not a finite number/);
    await ask(page, "undo", "rotate");
  },

  async "magnifier shows what is under the pointer"(page) {
    await show(page, "translate");
    await page.check("#magnify");
    await page.mouse.move(...(await onArrow(page, "translate")));
    await ask(page, "idle", "translate");
    assert.match(await page.textContent("#translate .magnifier span"), /id \d+: translate x/);
    await page.uncheck("#magnify");
    await ask(page, "idle", "translate");
    assert.ok(await page.isHidden("#translate .magnifier"));
  },

  async "lost device comes back with the scene"(page, backend) {
    await show(page, "translate");
    await page.selectOption("#translate [name=handle]", "translate_z");
    await page.click("#translate form button");
    await ask(page, "idle", "translate");
    const before = await ask(page, "matrix", "translate");
    assert.equal(before[14], 1);
    await ask(page, "lose");
    await page.waitForFunction(() => document.querySelector("#backend").textContent.startsWith("The device was lost"), null, { polling: 5, timeout: 3000 }).catch(() => {});
    await page.waitForFunction(() => document.querySelector("#backend").textContent.startsWith("Runs on"));
    await ask(page, "idle", "translate");
    assert.equal(await ask(page, "backend"), backend);
    assert.deepEqual(await ask(page, "matrix", "translate"), before);
    await page.mouse.move(...(await onArrow(page, "translate")));
    await ask(page, "idle", "translate");
    assert.equal(await ask(page, "hovered", "translate"), "translate_x");
    await page.click("#translate .controls button:last-child");
    await ask(page, "idle", "translate");
    assert.equal((await ask(page, "matrix", "translate"))[14], 0);
  },

  async "resize in a drag goes on"(page) {
    await show(page, "translate");
    const start = await origin(page, "translate");
    const from = await onArrow(page, "translate");
    const before = page.viewportSize();
    await page.mouse.move(...from);
    await page.mouse.down();
    await ask(page, "idle", "translate");
    await page.setViewportSize({ width: before.width - 200, height: before.height - 100 });
    await ask(page, "idle", "translate");
    assert.equal(await ask(page, "dragging", "translate"), "translate_x");
    await page.mouse.move(from[0] + 25, from[1]);
    await ask(page, "idle", "translate");
    await page.mouse.up();
    await ask(page, "idle", "translate");
    const now = await origin(page, "translate");
    assert.ok(now[0] !== start[0] && now.every(Number.isFinite));
    assert.deepEqual(now.slice(1), start.slice(1));
    await page.setViewportSize(before);
    await ask(page, "undo", "translate");
    await ask(page, "idle", "translate");
  },
};

/** A finger on a phone. */
async function touchDrag(browser, url) {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 3 });
  const page = await opened(context, url);
  await show(page, "translate");
  const [css, px] = await page.evaluate(() => [(c) => c.clientWidth, (c) => c.width].map((of) => of(document.querySelector("#translate .view"))));
  near(px, 3 * css, 1, "pixels of the canvas");
  const start = await origin(page, "translate");
  const [x, y] = await onArrow(page, "translate", [1, 0, 0], 50);
  const view = await lens(page, "translate");
  const client = await context.newCDPSession(page);
  const touch = (type, points) => client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
  await touch("touchStart", [{ x, y }]);
  await ask(page, "idle", "translate");
  const pressed = await ask(page, "pointerPx", "translate");
  await touch("touchMove", [{ x: x + 20, y }]);
  await touch("touchMove", [{ x: x + 41, y: y + 6 }]);
  await ask(page, "idle", "translate");
  const released = await ask(page, "pointerPx", "translate");
  assert.equal(await ask(page, "dragging", "translate"), "translate_x");
  await touch("touchEnd", []);
  await ask(page, "idle", "translate");
  const now = await origin(page, "translate");
  near(now[0] - start[0], along(view, start, [1, 0, 0], pressed, released), 1e-9, "x by touch");
  assert.ok(now[0] - start[0] > 0.1);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(wide <= 0, `the page is ${wide} px too wide`);
  await show(page, "views");
  const link = await page.evaluate(() => document.querySelector('a[aria-current="true"]').getBoundingClientRect().toJSON());
  assert.ok(link.left >= 0 && link.right <= 320, `the link of the scene is hidden: ${JSON.stringify(link)}`);
  await context.close();
}

/** A browser without WebGPU and WebGL2, and a server without the module: the page says which of them it is. */
async function refusals(url) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-3d-apis"] });
  const refused = async (prepare, why, heading, backend) => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    await prepare(page);
    await page.goto(url.split("?")[0]);
    await page.evaluate(() => window.gallery.ready.catch(() => {}));
    assert.equal(await page.textContent("#failed h2:visible"), heading);
    assert.equal(await page.textContent("#backend"), backend);
    assert.match(await page.textContent("#reasons"), why);
    for (const gone of ["#loading", "#scenes", "#links"]) assert.ok(await page.isHidden(gone), gone);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wide <= 0, `the page is ${wide} px too wide`);
    if (option("--shots")) await page.screenshot({ path: join(option("--shots"), `${heading}.png`) });
    await context.close();
  };
  await refused(async () => {}, /webgpu: .+\nwebgl: .+/, "No WebGPU and no WebGL2", "No WebGPU and no WebGL2");
  const without = (page) => page.route("**/*.wasm", (route) => route.fulfill({ status: 404 }));
  await refused(without, /gallery_wasm_bg.wasm: 404/, "The scenes could not be loaded", "Not loaded");
  await browser.close();
}

/** From the end of the download to the first scene: the shortest of a few, because other programs only add to it. */
async function loads(browser, url, backend) {
  let shortest = Infinity;
  for (let i = 0; i < 5 && shortest > 1000; i++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await opened(context, url);
    await ask(page, "idle", "translate");
    const time = await page.evaluate(() => {
      const at = (name) => performance.getEntriesByName(name)[0].startTime;
      return at("built") - at("downloaded");
    });
    shortest = Math.min(shortest, time);
    await context.close();
  }
  console.log(`gallery_load_ms_${backend}: ${Math.round(shortest)}`);
  assert.ok(shortest > 0 && shortest <= 2000, `${shortest} ms`);
}

async function opened(context, url) {
  const page = await context.newPage();
  watch(page);
  await page.goto(url);
  await page.evaluate(() => window.gallery.ready);
  return page;
}

async function shots(browser, url, into, backend) {
  mkdirSync(into, { recursive: true });
  for (const [width, height, deviceScaleFactor] of [[1280, 800, 1], [360, 740, 2], [320, 640, 1]]) {
    for (const colorScheme of ["dark", "light"]) {
      const context = await browser.newContext({ viewport: { width, height }, deviceScaleFactor, colorScheme, isMobile: width < 400, hasTouch: width < 400 });
      const page = await opened(context, url);
      const name = (scene) => join(into, `${backend}-${width}-${colorScheme}-${scene}.png`);
      await ask(page, "idle", "translate");
      await page.screenshot({ path: name("top") });
      for (const scene of width === 1280 && colorScheme === "light" ? ["select", "views"] : ["parents", "curve"]) {
        await show(page, scene);
        await page.screenshot({ path: name(scene) });
      }
      await context.close();
    }
  }
}

async function run(backend, origin) {
  const url = `${origin}/index.html${backend === "webgl" ? "?backend=webgl" : ""}`;
  const args = flags[backend];
  const browser = await chromium.launch({ executablePath, args });
  const counts = runner(backend, option("--only"));
  const { test } = counts;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await opened(context, url);
  for (const [name, act] of Object.entries(tests)) await test(name, () => act(page, backend));
  await context.close();
  await test("finger drags on a phone", () => touchDrag(browser, url));
  await test("first scene comes within 2 s of the download", () => loads(browser, url, backend));
  if (option("--shots")) await shots(browser, url, option("--shots"), backend);
  if (backend === "webgl") await test("page without a back end says why", () => refusals(url));
  await browser.close();
  await test("drag at scale factor 2", async () => {
    const sharp = await chromium.launch({ executablePath, args: [...args, "--force-device-scale-factor=2"] });
    const page = await opened(await sharp.newContext({ viewport: null }), url);
    await show(page, "translate");
    assert.equal(await ask(page, "scale", "translate"), 2);
    await dragAlongX(page);
    await sharp.close();
  });
  console.log(`gallery_tests_${backend} ${counts.passed}`);
}

await runAll({ folder, option }, run);
