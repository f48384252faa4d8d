// Tests of the viewer's page in Chromium, on WebGPU and on WebGL2.
//
//   node web/tests/viewer.mjs PAGE [--backend webgpu|webgl] [--shots FOLDER] [--only WORD]
//
// PAGE is the folder that examples/viewer/page/build has written. The environment is that of gallery.mjs.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { executablePath, flags, program, root, runAll, runner, watch } from "./common.mjs";
import { dragAlongX, finger, origin, position, select, settled, xArrow } from "./viewer_acts.mjs";

const { folder, option, chromium } = program("viewer.mjs");

const shoot = async (page, name) => {
  if (!option("--shots")) return;
  mkdirSync(option("--shots"), { recursive: true });
  await page.screenshot({ path: join(option("--shots"), `${name}.png`) });
};

/** Presses a key and waits for what the browser does then. */
async function answerTo(page, key, event) {
  const answer = page.waitForEvent(event);
  await page.keyboard.press(key);
  return answer;
}

/** Chooses files in the browser's dialog, which Ctrl+O opens. */
async function open(page, files) {
  await (await answerTo(page, "Control+o", "filechooser")).setFiles(files);
  await page.waitForTimeout(100);
  return settled(page);
}

const isFile = (name, text) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(text) });

/** Saves, and returns the downloaded file. */
async function save(page) {
  const saved = await answerTo(page, "Control+s", "download");
  await settled(page);
  return { name: saved.suggestedFilename(), bytes: await readFile(await saved.path()) };
}

/** Returns the document of a .glb. */
function documentOf(bytes) {
  assert.equal(bytes.toString("latin1", 0, 4), "glTF");
  assert.equal(bytes.readUInt32LE(8), bytes.length);
  return JSON.parse(bytes.toString("utf8", 20, 20 + bytes.readUInt32LE(12)));
}

/** Presses a key that asks for a text, and cancels that. */
async function dismissed(page, key) {
  const asked = new Promise((resolve) => page.once("dialog", (dialog) => resolve(dialog.dismiss())));
  await page.keyboard.press(key);
  await asked;
  return settled(page);
}

/** Closes a message of the viewer. */
async function dismiss(page) {
  await page.keyboard.press("Escape");
  assert.equal((await settled(page)).dialog, null);
}

/** Fails with the first difference of two .glb files, if any. */
function assertSame(actual, expected) {
  if (actual.equals(expected)) return;
  assert.deepEqual(documentOf(actual), documentOf(expected));
  assert.fail(`the documents are equal, but not the bytes: ${actual.length}, not ${expected.length}`);
}

const triangle = join(root, "fuzz/seeds/gltf/triangle.glb");
const alien = join(root, "examples/viewer/tests/scenes/alien.glb");

const tests = {
  async "built-in scene is drawn and rests"(page, backend) {
    const state = await settled(page);
    assert.equal(state.backend, backend === "webgl" ? "gl" : "webgpu", state.backend);
    assert.match(await page.title(), /^robot arm/);
    const shot = (await page.screenshot()).toString("base64");
    const colors = await page.evaluate(async ([shot, viewport]) => {
      const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${shot}`)).blob());
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      const count = (x, y, w, h) => new Set(new Uint32Array(context.getImageData(x, y, w, h).data.buffer)).size;
      const [x, y, width, height] = viewport.map(Math.round);
      return { scene: count(x, y, width, height), panel: count(x + width, 0, image.width - x - width, image.height) };
    }, [shot, state.viewport]);
    assert.ok(colors.scene > 500 && colors.panel > 50, JSON.stringify(colors));
    await shoot(page, `${backend}-start`);
  },

  async "click selects, drag reaches the closed form, undo restores"(page) {
    const clicked = await select(page, "ball");
    assert.deepEqual(clicked.selected, ["ball"]);
    const { start } = await dragAlongX(page, "ball", { onDragged: ({ backend }) => shoot(page, `${backend}-drag`) });
    assert.match(await page.title(), /^\* /);
    await page.keyboard.press("Control+z");
    const undone = await settled(page);
    assert.deepEqual(origin(undone, "ball"), start);
    assert.doesNotMatch(await page.title(), /^\*/);
  },

  async "second button cancels a drag, and then nothing follows the mouse"(page) {
    const start = origin(await select(page, "ball"), "ball");
    const { from: [x, y] } = await xArrow(page, "ball");
    const at = async () => origin(await settled(page), "ball");
    await page.mouse.move(x, y);
    await settled(page);
    await page.mouse.down();
    await settled(page);
    await page.mouse.move(x + 40, y);
    assert.notDeepEqual(await at(), start);
    await page.mouse.down({ button: "right" });
    assert.deepEqual(await at(), start);
    await page.mouse.up();
    await page.mouse.up({ button: "right" });
    await page.mouse.move(x + 90, y + 30);
    assert.deepEqual(await at(), start);
  },

  async "wheel zooms and does not turn the camera"(page) {
    // The direction in which w grows, and w at the ball.
    const seen = async () => {
      const { clip_from_world: m, nodes } = await settled(page);
      const [x, y, z] = origin({ nodes }, "ball");
      return { forward: [m[3], m[7], m[11]], depth: m[3] * x + m[7] * y + m[11] * z + m[15] };
    };
    await page.mouse.move(...(await position(page, origin(await settled(page), "ball"))));
    const before = await seen();
    await page.mouse.wheel(0, -120);
    await page.waitForTimeout(300);
    const near = await seen();
    near.forward.forEach((x, i) => assert.ok(Math.abs(x - before.forward[i]) < 1e-9, `${near.forward}, not ${before.forward}`));
    assert.ok(near.depth < before.depth * 0.97, `${near.depth}, not less than ${before.depth}`);
    await page.mouse.wheel(0, 120);
    await page.waitForTimeout(300);
    const back = await seen();
    assert.ok(Math.abs(back.depth / before.depth - 1) < 1e-6, `${back.depth}, not ${before.depth}`);
  },

  async "unnamed scene is saved under the name that is asked for"(page) {
    page.once("dialog", (dialog) => dialog.accept("arm.glb"));
    const { name, bytes } = await save(page);
    assert.equal(name, "arm.glb");
    assert.ok(documentOf(bytes).nodes.some((node) => node.name === "ball"));
    assert.match(await page.title(), /^arm\.glb/);
  },

  async "chosen file is opened, and saved unchanged byte for byte"(page, backend) {
    const state = await open(page, alien);
    assert.equal(state.dialog, null);
    assert.ok(state.nodes.armLeft, Object.keys(state.nodes).join());
    assert.match(await page.title(), /^alien\.glb/);
    await shoot(page, `${backend}-alien`);
    const { name, bytes } = await save(page);
    assert.equal(name, "alien.glb");
    assert.ok(bytes.equals(await readFile(alien)), "the saved bytes differ");
  },

  async "saved file holds the moved node"(page) {
    await open(page, alien);
    await select(page, "body");
    const { now } = await dragAlongX(page, (await settled(page)).selected[0]);
    const [moved] = (await settled(page)).selected;
    const { bytes } = await save(page);
    const state = await settled(page);
    assert.equal(state.message, "Saved alien.glb");
    const node = documentOf(bytes).nodes.find((node) => node.name === moved);
    const wanted = origin(state, moved);
    assert.deepEqual(wanted, now);
    // Its ancestors have no transforms.
    node.translation.forEach((x, i) => assert.ok(Math.abs(x - wanted[i]) < 1e-12, `${node.translation}, not ${wanted}`));
    const again = await open(page, { name: "again.glb", mimeType: "model/gltf-binary", buffer: bytes });
    assert.deepEqual(origin(again, moved), wanted);
  },

  async "save equals that of the native viewer byte for byte"(page) {
    // The native tests play the same file, and have written what it saves.
    const replay = JSON.parse(await readFile(join(root, "web/tests/moved.json"), "utf8"));
    await open(page, alien);
    assert.deepEqual((await select(page, "body")).selected, replay.select);
    const keys = replay.events.map(({ key }) => key).filter((key) => key);
    assert.ok(keys.length > 10, `${keys}`);
    for (const key of keys) {
      await page.keyboard.press(key === "enter" ? "Enter" : key);
      if (key === "enter") await settled(page);
    }
    const { bytes } = await save(page);
    assertSame(bytes, await readFile(join(root, "web/tests/moved.glb")));
  },

  async "gltf is opened with the files that it refers to"(page) {
    const glb = await readFile(triangle);
    const length = glb.readUInt32LE(12);
    const gltf = JSON.parse(glb.toString("utf8", 20, 20 + length));
    gltf.buffers[0].uri = "data/triangle.bin";
    const scene = isFile("triangle.gltf", JSON.stringify(gltf));
    const missing = await open(page, [scene]);
    assert.match(missing.dialog, /^Could not open triangle\.gltf: buffers\[0\].*data\/triangle\.bin/);
    await dismiss(page);
    const bin = { name: "triangle.bin", mimeType: "application/octet-stream", buffer: glb.subarray(28 + length) };
    const state = await open(page, [bin, scene]);
    assert.equal(state.dialog, null);
    assert.match(await page.title(), /^triangle\.gltf/);
  },

  async "chosen file of the same name replaces nothing"(page) {
    const same = async (file) => isFile("same.glb", await readFile(file));
    await open(page, await same(alien));
    await select(page, "body");
    // An earlier test has left another tool.
    await page.keyboard.press("w");
    await dragAlongX(page, (await settled(page)).selected[0]);
    assert.equal((await open(page, await same(triangle))).dialog, "Save changes to same.glb?");
    await dismiss(page);
    const { name, bytes } = await save(page);
    assert.equal(name, "same.glb");
    assert.ok(documentOf(bytes).nodes.some((node) => node.name === "armLeft"));
    const other = await open(page, await same(triangle));
    assert.deepEqual([other.dialog, other.nodes.armLeft], [null, undefined]);
  },

  async "two chosen files of one name are refused"(page) {
    const told = new Promise((resolve) => page.once("dialog", async (dialog) => {
      await dialog.dismiss();
      resolve(dialog.message());
    }));
    await open(page, [isFile("twice.bin", "1"), isFile("twice.bin", "2")]);
    assert.equal(await told, "Could not open twice.bin: was chosen twice, from two folders");
  },

  async "broken file gives one line, and the scene stays"(page) {
    const before = await settled(page);
    for (const [text, message] of [
      ["hello", "Could not open broken.glb: is not a glTF file: neither JSON nor GLB"],
      ["", "Could not open broken.glb: is empty"],
      ['{"asset": {"version": "1.0"}}', "Could not open broken.glb: asset.version: only glTF 2.0 is supported"],
    ]) {
      assert.equal((await open(page, isFile("broken.glb", text))).dialog, message);
      await dismiss(page);
    }
    assert.deepEqual((await settled(page)).nodes, before.nodes);
  },

  async "dropped file is opened"(page) {
    const bytes = [...(await readFile(alien))];
    await page.evaluate((bytes) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(bytes)], "dropped.glb"));
      for (const type of ["dragenter", "dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer: files, bubbles: true, cancelable: true }));
      }
    }, bytes);
    await page.waitForFunction(() => document.title.startsWith("dropped.glb"));
    assert.ok((await settled(page)).nodes.armLeft);
  },

  async "canceled dialogs can be opened again"(page) {
    await dismissed(page, "Control+Shift+s");
    await (await answerTo(page, "Control+o", "filechooser")).setFiles([]);
    await settled(page);
    assert.equal((await open(page, alien)).dialog, null);
    assert.match(await page.title(), /^alien\.glb/);
  },

  async "key is held while what is under the pointer changes"(page) {
    const files = page.waitForEvent("filechooser");
    await page.keyboard.down("Control");
    // As Chromium on Linux tells it when a dialog closes under the pointer.
    const over = { pointerType: "mouse", isPrimary: true, bubbles: true };
    await page.evaluate((over) => document.getElementById("viewer").dispatchEvent(new PointerEvent("pointerover", over)), over);
    await page.keyboard.press("o");
    await page.keyboard.up("Control");
    await (await files).setFiles([]);
    await settled(page);
  },

  async "files can be chosen long after the key"(page) {
    // As if the key had been pressed more than a few seconds ago: the browser opens no dialog for it.
    await page.evaluate(() => Object.defineProperty(navigator, "userActivation", { value: { isActive: false }, configurable: true }));
    await page.keyboard.press("Control+o");
    await page.waitForSelector("#ask[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("#ask", { state: "hidden" });
    await page.keyboard.press("Control+o");
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.click("#ask button[value=choose]")]);
    await chooser.setFiles([isFile("late.glb", await readFile(alien))]);
    await page.waitForFunction(() => document.title.startsWith("late.glb"));
    assert.equal((await settled(page)).dialog, null);
    await page.evaluate(() => delete navigator.userActivation);
  },
};

/** Opens the viewer in a page of its own. */
async function opened(context, url) {
  const page = await context.newPage();
  watch(page);
  // Without a listener the browser opens dialogs of its own. One that comes with each key can be too late for it.
  page.on("filechooser", () => {});
  await page.goto(url);
  await page.evaluate(() => window.viewer.ready);
  await page.waitForFunction(() => window.viewer.state() !== null);
  return page;
}

/** A phone, held upright. */
async function phone(browser, url) {
  const context = await browser.newContext({ viewport: { width: 390, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true });
  // A browser that shows a page as on a phone counts the pixels of a box in CSS pixels.
  await context.addInitScript(() => delete ResizeObserverEntry.prototype.devicePixelContentBoxSize);
  const page = await opened(context, url);
  const state = await settled(page);
  const [, , width, height] = state.viewport.map((px) => px / 2);
  assert.ok(width >= 300 && height >= 300, `the scene has ${width} × ${height} px`);
  await page.touchscreen.tap(...(await position(page, origin(state, "ball"))));
  assert.deepEqual((await settled(page)).selected, ["ball"]);
  await dragAlongX(page, "ball", { pointer: finger(await context.newCDPSession(page)) });
  await shoot(page, "phone");
  await context.close();
}

/** A device that is lost in a drag. */
async function lost(browser, url, backend) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await opened(context, url);
  await select(page, "ball");
  await dragAlongX(page, "ball", {
    onDragged: async (dragged) => {
      await page.evaluate(() => window.viewer.lose());
      await page.waitForFunction(() => /GPU was reset/.test(window.viewer.state().message ?? ""));
      assert.deepEqual((await settled(page)).nodes, dragged.nodes);
    },
  });
  assert.deepEqual((await select(page, "ball")).selected, ["ball"]);
  await shoot(page, `${backend}-renewed`);
  await context.close();
}

/** A device that is lost again and again ends the viewer, which offers the unsaved changes. */
async function stopped(browser, url, backend) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await opened(context, url);
  await select(page, "ball");
  const { now } = await dragAlongX(page, "ball");
  for (let losses = 0; losses < 4; losses += 1) {
    await settled(page);
    await page.evaluate(() => window.viewer.lose());
    await page.waitForTimeout(500);
  }
  await page.waitForSelector("#failed:not([hidden])");
  await shoot(page, `${backend}-stopped`);
  const downloaded = page.waitForEvent("download");
  await page.click("#keep");
  const saved = await downloaded;
  assert.equal(saved.suggestedFilename(), "robot arm.glb");
  const ball = documentOf(await readFile(await saved.path())).nodes.find((node) => node.name === "ball");
  ball.translation.forEach((x, i) => assert.ok(Math.abs(x - now[i]) < 1e-12, `${ball.translation}, not ${now}`));
  assert.doesNotMatch(await page.title(), /^\*/);
  await context.close();
}

/** A browser without WebGPU and WebGL2: the page says so. */
async function refusal(url) {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-3d-apis"] });
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  await page.goto(url.split("?")[0]);
  await page.waitForSelector("#failed:not([hidden])");
  assert.equal(await page.textContent("#failed h1"), "No WebGPU and no WebGL2");
  await browser.close();
}

async function run(backend, at) {
  const url = `${at}/index.html${backend === "webgl" ? "?backend=webgl" : ""}`;
  const browser = await chromium.launch({ executablePath, args: flags[backend] });
  const page = await opened(await browser.newContext({ viewport: { width: 1280, height: 800 } }), url);
  const counts = runner(backend, option("--only"), () => shoot(page, `${backend}-failed`));
  const { test } = counts;
  for (const [name, act] of Object.entries(tests)) await test(name, () => act(page, backend));
  await test("finger selects and drags on a phone", () => phone(browser, url));
  await test("device lost in a drag is replaced, and the drag goes on", () => lost(browser, url, backend));
  await test("device that is lost too often leaves the unsaved changes", () => stopped(browser, url, backend));
  await browser.close();
  if (backend === "webgl") await test("page without a back end says why", () => refusal(url));
  console.log(`viewer_tests_${backend} ${counts.passed}`);
}

await runAll({ folder, option }, run);
