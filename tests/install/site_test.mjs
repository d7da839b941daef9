// The documentation site as a reader sees it, from the disk: its pages in Chromium, light and dark. Run by
// tools/test_install, where playwright-core is installed in the current folder: node site_test.mjs HTML CHROMIUM
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(`${process.cwd()}/`)("playwright-core");
const [site, executablePath] = process.argv.slice(2);
const PAGES = ["index.html", "guide/start.html", "reference/with_timeout.html"];
const complaints = [];

/// A browser's page that notes what goes wrong, and what is not loaded from the disk.
async function open(browser, colorScheme) {
  const page = await browser.newPage({ colorScheme });
  page.setDefaultTimeout(10000);
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${page.url()}: ${error}`));
  page.on("requestfailed", (request) => complaints.push(`${page.url()}: ${request.url()} failed`));
  page.on("request", (request) => {
    if (/^https?:/.test(request.url())) complaints.push(`${page.url()}: loads ${request.url()}`);
  });
  return page;
}

const address = (name) => `${pathToFileURL(site)}/${name}`;
const background = (page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);

/// The background of each page.
async function visit(page) {
  const colours = [];
  for (const name of PAGES) {
    await page.goto(address(name));
    assert.match(await page.locator("h1").first().textContent(), /\w/, name);
    colours.push(await background(page));
  }
  return colours;
}

async function findsAFunction(page) {
  await page.goto(`${address("search.html")}?q=with_timeout`);
  const found = page.locator("#search-results li a");
  await found.first().waitFor();
  assert.ok((await found.allTextContents()).some((text) => text.includes("with_timeout")));
}

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const colours = {};
for (const scheme of ["light", "dark"]) {
  const page = await open(browser, scheme);
  colours[scheme] = await visit(page);
  await findsAFunction(page);
  await page.close();
}
await browser.close();
for (const [number, name] of PAGES.entries())
  assert.notEqual(colours.light[number], colours.dark[number], `${name} is as bright in the dark`);
assert.deepEqual(complaints, []);
console.log(`passed: ${PAGES.length} pages and a search, ${colours.light[0]} and ${colours.dark[0]}`);
