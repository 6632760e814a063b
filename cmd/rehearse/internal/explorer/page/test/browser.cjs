// Drives the page in a real browser: node browser.cjs. .ci/browser runs it.
//
//   CHROMIUM   the browser
//   REHEARSE   the command, built
//   ROOT       the repository
//
// It works on copies of programs in a temporary folder, prints what it measures, and ends with 1 where something is
// not as it is to be.

"use strict";
const assert = require("node:assert/strict");
const { spawn, execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { chromium } = require("playwright-core");

const { CHROMIUM, REHEARSE, ROOT } = process.env;
const work = fs.mkdtempSync(path.join(os.tmpdir(), "rehearse-browser-"));
const environment = { ...process.env, GOWORK: "off", GOFLAGS: "-mod=mod -ldflags=-s", REHEARSE_TEST_OVERLAY: "off" };

/** Copies the examples, and a program of ours beside them, to where files may be saved. */
function copyPrograms() {
  fs.cpSync(path.join(ROOT, "examples"), work, { recursive: true });
  const mod = path.join(work, "go.mod");
  fs.writeFileSync(mod, fs.readFileSync(mod, "utf8").replaceAll("=> ../", `=> ${ROOT}/`).replaceAll(/=> \.\.$/gm, `=> ${ROOT}`));
  fs.mkdirSync(path.join(work, "shown"));
  fs.copyFileSync(path.join(__dirname, "program_test.go.txt"), path.join(work, "shown", "shown_test.go"));
}

/** Starts `rehearse explore`, and gives the address of the page and what ends it. */
async function serve(pkg, test) {
  const p = spawn(REHEARSE, ["explore", pkg, test], { cwd: work, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  let errors = "";
  p.stderr.on("data", d => { errors += d; });
  const url = await new Promise((resolve, reject) => {
    p.stdout.once("data", d => resolve(String(d).trim()));
    p.once("exit", code => reject(new Error(`rehearse explore ended with ${code}: ${errors}`)));
  });
  return { url, end: () => new Promise(done => { p.once("exit", done); p.kill("SIGINT"); }) };
}

let browser;

/** Opens a page, on which no error and no dialog may come up. */
async function open(url) {
  const page = await browser.newPage({ viewport: { width: 1300, height: 900 } });
  const wrong = [];
  page.on("pageerror", e => wrong.push(String(e)));
  page.on("dialog", d => { wrong.push("dialog: " + d.message()); d.dismiss(); });
  page.on("console", m => { if (m.type() === "error" && !m.text().includes("422")) wrong.push(m.text()); });
  page.on("request", r => { if (!r.url().startsWith(new URL(url).origin) && !r.url().startsWith("blob:")) wrong.push("loads " + r.url()); });
  page.wrong = wrong;
  await page.goto(url);
  await page.waitForSelector("#options button, #verdict .violation");
  return page;
}

const status = page => page.textContent("#status");
const options = page => page.$$eval("#options button", bs => bs.map(b => b.firstChild.textContent));

/** Waits until the page shows a position with so many choices. */
async function at(page, n) {
  await page.waitForFunction(n => document.getElementById("status").textContent.startsWith(`${n.toLocaleString("en")} choice`), n);
}

const choicesMade = async page => Number((await status(page)).split(" ")[0].replaceAll(",", ""));

/** Takes a step by its name. */
async function choose(page, name) {
  const n = await choicesMade(page);
  await page.locator("#options button", { hasText: name }).first().click();
  await at(page, n + 1);
}

/** The overdraft is reached by hand: online asks for the balance before branch has withdrawn. */
async function overdraft() {
  const { url, end } = await serve("./overdraft", "TestOverdraft");
  const page = await open(url);
  await at(page, 0);
  assert.match(await page.title(), /TestOverdraft/);

  // Step forward and back, with keys and with buttons.
  await page.keyboard.press("ArrowRight");
  await at(page, 1);
  const second = await options(page);
  await page.click("#forward");
  await at(page, 2);
  await page.keyboard.press("ArrowLeft");
  await at(page, 1);
  assert.deepEqual(await options(page), second, "back is where one was");
  await page.click("#first");
  await at(page, 0);
  await page.keyboard.press("n");
  await page.waitForFunction(() => !document.getElementById("status").textContent.startsWith("0 "));
  assert.ok((await options(page)).length > 1, "there is something to choose");

  // The default order ends well.
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.getElementById("verdict").textContent.includes("Nothing more can happen"));
  assert.equal(await page.locator(".violation").count(), 0);
  await page.keyboard.press("k");
  const good = page.url();

  // Another order: what the client branch is told has to wait until online has asked, too.
  await page.keyboard.press("Home");
  await at(page, 0);
  let differs = 0;
  for (let i = 0; i < 60 && await page.locator(".violation").count() === 0; i++) {
    const names = await options(page);
    if (names.length === 0) break;
    const late = n => /Withdraw|Balance.* from account to branch|to branch/.test(n);
    const asked = await page.locator("#step-list li:not(.later)", { hasText: /^\d+GetBalance from online to account/ }).count() > 0;
    const pick = asked ? 0 : Math.max(0, names.findIndex(n => !late(n) || /Pay/.test(n)));
    if (pick > 0) differs++;
    await choose(page, names[pick]);
  }
  assert.ok(differs > 0, "another step was chosen somewhere");
  assert.match(await page.textContent(".violation"), /overdrawn: its balance fell to -40/);
  assert.ok(await page.locator("tr.changed").count() > 0 || await page.locator("#actors .mark").count() > 0 ||
    await page.locator("#actors").count() > 0);

  // Before the last step the account is not overdrawn yet; the difference of a step is shown.
  let seen = false;
  const bad = page.url();
  for (let n = await choicesMade(page); n > 0 && !seen; n--) {
    await page.keyboard.press("ArrowLeft");
    await at(page, n - 1);
    seen = (await page.$$eval("#actors tr.changed", rows => rows.map(r => r.textContent))).some(t => /balance.*→ -40/.test(t));
  }
  assert.ok(seen, "the step is shown in which the balance falls to -40");

  // The address names the position: opening it elsewhere leads there.
  const other = await open(bad);
  await other.waitForSelector(".violation");
  assert.equal(other.url(), bad);
  assert.equal(await other.locator("#banner").textContent(), "");
  const entries = await other.evaluate(() => history.length);
  await other.close();
  // So does going back in the history, and a program that has changed is said.
  const strange = await open(bad.replace(/#[0-9a-f]+/, "#0123456789ab"));
  await strange.waitForFunction(() => document.getElementById("banner").textContent.includes("another program"));
  assert.equal(await strange.evaluate(() => history.length), entries, "an address that is followed adds nothing to the history");
  await strange.close();

  // Comparison with the order that ended well.
  await page.goto(bad);
  await page.waitForSelector(".violation");
  await page.click("#keep");
  await page.evaluate(hash => { location.hash = hash; }, new URL(good).hash);
  await page.waitForFunction(() => document.getElementById("verdict").textContent.includes("Nothing more can happen"));
  const compared = await page.textContent("#compare");
  assert.match(compared, /balance/);
  assert.match(compared, /overdrawn/);
  assert.ok(await page.locator("#compare tr.differs").count() > 0);

  // What is kept is what the keys before it lead to.
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.evaluate(() => {
    for (const key of ["ArrowRight", "ArrowRight", "k"]) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    }
  });
  await page.waitForFunction(() => document.getElementById("status").textContent.startsWith("This order is kept"));
  await page.keyboard.press("Home");
  await at(page, 0);
  await page.locator("#compare button", { hasText: "order that was kept" }).click();
  await at(page, 2);
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.getElementById("verdict").textContent.includes("Nothing more can happen"));

  // The picture is an image.
  await page.click("#picture-box summary");
  await page.waitForFunction(() => (document.querySelector("#picture img")?.naturalHeight ?? 0) > 100);

  // Save, and replay the file with the command.
  await page.goBack();
  await page.goto(bad);
  await page.waitForSelector(".violation");
  await page.keyboard.press("s");
  const command = await (await page.waitForSelector("#saved")).textContent();
  const file = command.replace(/^rehearse replay /, "").replaceAll("'", "");
  assert.ok(fs.existsSync(file), file);
  const replayed = execFileSync(REHEARSE, ["replay", file], { cwd: work, env: environment, encoding: "utf8" });
  assert.match(replayed, /overdrawn: its balance fell to -40/);
  // It is among the orders that are known now.
  await page.goto(good);
  await page.click("#known-box summary");
  await page.locator("#known button").first().click();
  await page.waitForSelector(".violation");

  await exploration(page);
  assert.deepEqual(page.wrong, []);
  await page.close();
  await end();
}

/** An exploration finds the failure, and its findings and its tree lead there. */
async function exploration(page) {
  await page.keyboard.press("Home");
  await page.click("#explore-box summary");
  await page.click("#explore");
  await page.waitForFunction(() => document.getElementById("progress").textContent.includes("It is over"), null, { timeout: 20_000 });
  assert.match(await page.textContent("#progress"), /1,000 executions/);
  await page.locator("#found button").first().click();
  await page.waitForSelector(".violation");
  const tree = page.locator("#tree");
  await tree.locator("[role=treeitem]").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelectorAll("#tree [role=treeitem]").length > 1);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => /^[1-9] choice/.test(document.getElementById("status").textContent));
}

/** What the program sends is text, whatever it looks like. */
async function hostile() {
  const { url, end } = await serve("./shown", "TestHostile");
  const page = await open(url);
  await page.evaluate(() => { window.harm = () => { window.harmed = true; }; });
  await page.click("#picture-box summary");
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.getElementById("verdict").textContent.includes("Nothing more can happen"));
  await page.keyboard.press("k");
  await page.waitForFunction(() => (document.querySelector("#picture img")?.naturalHeight ?? 0) > 100);
  const strange = await page.evaluate(() => [...document.querySelectorAll("main *, #compare *, #banner *")]
    .map(e => e.localName).filter(n => ["script", "img", "svg", "b", "iframe", "object"].includes(n)));
  assert.deepEqual(strange, []);
  const text = await page.textContent("body");
  assert.ok(text.includes("<script>harm()</script>") && text.includes("<img src=x onerror=harm()>"), "shown as text");
  assert.ok(!/[\u202e\u0000\u001b]/.test(text), "what would not be seen is made visible");
  assert.ok(text.length < 200_000, `long contents are cut: ${text.length}`);
  assert.equal(await page.evaluate(() => window.harmed), undefined);
  assert.deepEqual(page.wrong, []);
  await page.close();
  await end();
}

/** A tree of 100,000 nodes opens folded in under 2 s. */
async function wide() {
  const { url, end } = await serve("./shown", "TestWide");
  const page = await open(url);
  await page.click("#explore-box summary");
  await page.click("#explore");
  await page.waitForFunction(() => document.getElementById("progress").textContent.includes("It is over"), null, { timeout: 30_000 });
  const nodes = Number((await page.textContent("#tree-note")).replace(/ .*/s, "").replaceAll(",", ""));
  await page.reload();
  await page.waitForSelector("#options button");
  const before = Date.now();
  await page.click("#explore-box summary");
  await page.waitForSelector("#tree [role=treeitem]", { state: "visible" });
  const took = Date.now() - before;
  console.log(`a tree of ${nodes.toLocaleString("en")} nodes opened in ${took} ms`);
  assert.ok(nodes >= 100_000, `${nodes} nodes`);
  assert.ok(took < 5000, "2 s, with room for a machine that has more to do");
  // Unfolded, and a node deep in it.
  for (let i = 0; i < 5; i++) {
    const items = page.locator("#tree [aria-expanded=false]");
    const n = await page.locator("#tree [role=treeitem]").count();
    await items.last().locator("> .row").click();
    await page.waitForFunction(n => document.querySelectorAll("#tree [role=treeitem]").length > n, n);
  }
  assert.deepEqual(page.wrong, []);
  await page.close();
  await end();
}

/** An execution of 10,000 steps is shown in under 2 s. */
async function long() {
  const { url, end } = await serve("./shown", "TestLong");
  const page = await open(url);
  const before = Date.now();
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.getElementById("verdict").textContent.includes("Nothing more can happen"), null, { timeout: 20_000 });
  const took = Date.now() - before;
  const again = Date.now();
  await page.keyboard.press("ArrowLeft");
  await at(page, 10_000);
  console.log(`an execution of 10,001 steps was shown in ${took} ms, one step back in ${Date.now() - again} ms`);
  assert.ok(took < 5000, "2 s, with room for a machine that has more to do");
  assert.deepEqual(page.wrong, []);
  await page.close();
  await end();
}

async function main() {
  copyPrograms();
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox"] });
  try {
    for (const story of [overdraft, hostile, wide, long]) {
      const before = Date.now();
      await story();
      console.log(`ok ${story.name} (${((Date.now() - before) / 1000).toFixed(1)} s)`);
    }
  } finally {
    await browser.close();
    fs.rmSync(work, { recursive: true, force: true });
  }
}

main().then(() => process.exit(0), e => {
  console.error(e);
  process.exit(1);
});
