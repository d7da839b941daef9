// The demo as a user sees it: its page in Chromium. Run by browser_test.py, where playwright-core is
// installed in the current folder: node browser_test.mjs DEMO CHROMIUM SCREENSHOT
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";

const { chromium } = createRequire(`${process.cwd()}/`)("playwright-core");
const [program, executablePath, screenshot] = process.argv.slice(2);

async function startDemo() {
  const demo = spawn(program, ["--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => demo.kill("SIGKILL"));
  for await (const line of createInterface({ input: demo.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(line);
    assert.ok(address, `not an address: ${line}`);
    demo.stdout.resume();
    return { demo, address: address[0] };
  }
  assert.fail("the demo said nothing");
}

/// The figure with this name, as a number.
const figure = (page, name) =>
  page.locator("#figures div", { has: page.getByText(name, { exact: true }) }).locator("dd")
    .textContent().then((text) => Number(text.replaceAll(/\D/g, "")));

/// Waits until the page has changed the figure, and gives its new value.
async function nextFigure(page, name) {
  const before = await figure(page, name);
  await page.waitForFunction(([wanted, old]) => [...document.querySelectorAll("#figures div")].some(
    (cell) => cell.querySelector("dt").textContent === wanted &&
      Number(cell.querySelector("dd").textContent.replaceAll(/\D/g, "")) !== old), [name, before]);
  return figure(page, name);
}

async function showsFiguresThatChange(page) {
  assert.equal(await page.title(), "weft");
  assert.ok(await figure(page, "coroutines") >= 2);
  assert.match(await page.locator("#coroutines").textContent(), /\(main\)/);
  const first = await nextFigure(page, "switches");
  const second = await nextFigure(page, "switches");
  assert.ok(second > first, `${second} switches after ${first}`);
}

async function echoesInTheForm(page) {
  await page.fill("#word", "Grüße aus dem Browser");
  await page.click("#talk button");
  await page.waitForFunction(() => document.getElementById("heard").value === "Grüße aus dem Browser");
}

async function echoesOverAWebSocket(page) {
  const heard = await page.evaluate(async () => {
    const socket = new WebSocket(`ws://${location.host}/ws`);
    socket.binaryType = "arraybuffer";
    await new Promise((resolve, reject) => { socket.onopen = resolve; socket.onerror = reject; });
    const echo = (message) => new Promise((resolve) => {
      socket.onmessage = (event) => resolve(event.data);
      socket.send(message);
    });
    const bytes = Uint8Array.from({ length: 70000 }, (_, i) => i * 7);  // a length of 64 bits
    const back = new Uint8Array(await echo(bytes));
    const result = {
      short: await echo("hello"), empty: await echo(""), long: (await echo("é".repeat(40000))).length,
      isBinary: (await echo(new Uint8Array([1]))) instanceof ArrayBuffer,
      isSame: back.length === bytes.length && back.every((byte, i) => byte === bytes[i]),
    };
    const closed = new Promise((resolve) => { socket.onclose = resolve; });
    socket.close(1000);
    const { code, wasClean } = await closed;
    return { ...result, code, wasClean };
  });
  assert.deepEqual(heard, { short: "hello", empty: "", long: 40000, isBinary: true, isSame: true,
                            code: 1000, wasClean: true });
}

/// With something to see: requests under way.
async function takeScreenshot(page) {
  await page.evaluate(() => { for (let i = 0; i < 3; ++i) void fetch(`/delay/${2000 + i}`); });
  await page.waitForFunction(() => document.getElementById("coroutines").textContent
    .split("Timer").length > 3);
  await page.screenshot({ path: screenshot });
}

const { demo, address } = await startDemo();
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const page = await browser.newPage({ viewport: { width: 1000, height: 760 }, colorScheme: "light" });
page.setDefaultTimeout(10000);
const complaints = [];
page.on("console", (message) => {
  if (["error", "warning"].includes(message.type())) complaints.push(message.text());
});
page.on("pageerror", (error) => complaints.push(String(error)));
page.on("requestfailed", (request) => complaints.push(`${request.url()} failed`));

const answer = await page.goto(address);
assert.equal(answer.status(), 200);
for (const step of [showsFiguresThatChange, echoesInTheForm, echoesOverAWebSocket, takeScreenshot]) {
  await step(page);
  console.log(`passed: ${step.name}`);
}
assert.deepEqual(complaints, []);
await browser.close();

demo.kill("SIGTERM");
const [code] = await once(demo, "exit");
assert.equal(code, 0);
