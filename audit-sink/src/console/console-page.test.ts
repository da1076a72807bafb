import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { sinkConfig, testFolder, testSink, until } from "../sink.test.support.js";
import {
  type ConsolePage,
  evil,
  openContext,
  openPage,
  skip,
  startBrowser,
  startConsole,
  type TestConsole,
} from "./console.test.support.js";
import { isOfSystemAccount, sampleEvents } from "./sample-events.test.support.js";

const eventCount = 500;
const events = sampleEvents(eventCount, Date.now(), evil);
const folded = events.filter(isOfSystemAccount).length;
/** Positions of events that the sample ends with. */
const [updated, patched, created] = [eventCount - 4, eventCount - 3, eventCount - 2];

describe("the console in a browser", { skip }, () => {
  let sink: TestConsole;
  let browser: Browser;
  let opened: ConsolePage | undefined;
  let page: Page;

  before(async () => {
    sink = await startConsole({ clusterName: "staging", accent: "violet", tokenHint: "It is in the vault." });
    await sink.append(events);
    browser = await startBrowser();
  });

  after(async () => {
    await browser?.close();
    await sink?.[Symbol.asyncDispose]();
  });

  /** Opens the page of a test, for a reader who has logged in if nothing else is said. */
  async function open(fragment = "", options: Parameters<typeof openPage>[2] = { token: "reader" }): Promise<void> {
    opened = await openPage(browser, sink, { fragment, ...options });
    ({ page } = opened);
  }

  afterEach(async () => {
    const problems = opened?.problems ?? [];
    await opened?.[Symbol.asyncDispose]();
    opened = undefined;
    assert.deepEqual(problems, [], "scripts throw nothing, and break no rule of the Content-Security-Policy");
  });

  const rowTexts = (): Promise<string[]> => page.locator("#rows tr").allTextContents();
  const total = (count: number): Promise<void> =>
    page.locator("#chart-text", { hasText: new RegExp(`^${count} events?$`) }).waitFor();
  const addFilter = async (text: string): Promise<void> => {
    await page.getByLabel("Add a filter").fill(text);
    await page.keyboard.press("Enter");
  };
  const fragment = (): string => new URL(page.url()).hash;

  test("says where the token is, refuses a wrong one, and keeps the right one in the tab only", async () => {
    await open("", {});
    await page.getByText("It is in the vault.").waitFor();
    assert.equal(await page.title(), "staging · Gatehouse audit");
    await page.getByLabel("Reader token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("The audit sink does not know this token.").waitFor();
    await page.getByLabel("Reader token").fill("reader");
    await page.keyboard.press("Enter");
    await page.locator("#rows tr").first().waitFor();
    const kept = await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie, location.href]");
    assert.deepEqual(kept, [1, 0, "", `${sink.address}/console/`]);
    await page.getByRole("button", { name: "Log out" }).click();
    await page.getByLabel("Reader token").waitFor();
    assert.equal(await page.evaluate("sessionStorage.length"), 0);
  });

  test("shows events, counts and rankings, and what events say never becomes markup", async () => {
    await open();
    await total(eventCount - folded);
    assert.equal((await rowTexts()).length, 100);
    assert.ok((await page.locator("#chart .bar rect").count()) > 10);
    const users = await page.locator("#top-users li").allTextContents();
    assert.ok(
      users.some((text) => text.startsWith(evil)),
      users.join(),
    );
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.evaluate("window.evil"), undefined);
    assert.equal((await page.locator("#chart svg").boundingBox())?.height, 80);
    await page.getByRole("button", { name: "Show earlier events" }).click();
    await until(async () => (await rowTexts()).length === 200);
  });

  test("shows the name of the cluster and its accent", async () => {
    await open();
    await page.locator("#cluster", { hasText: "staging" }).waitFor();
    const accents = await page.evaluate(
      "[document.documentElement.dataset.accent, getComputedStyle(document.documentElement).getPropertyValue('--accent')]",
    );
    assert.deepEqual(accents, ["violet", "light-dark(#7440a8, #c39bf0)"]);
  });

  test("folds system accounts away with their failures counted, and a switch shows them", async () => {
    await open();
    await page.locator("#folded-text", { hasText: `${folded} events folded, ` }).waitFor();
    await page.getByRole("button", { name: "System accounts" }).click();
    await total(eventCount);
    assert.equal(fragment(), "#system=shown");
    assert.ok((await rowTexts()).some((text) => text.includes("sa kube-system/generic-garbage-collector")));
    assert.ok((await rowTexts()).some((text) => text.includes("node worker-1.europe-west.example.com")));
  });

  test("filters by what is typed or chosen, keeps each filter in the address, and Back and Forward go through them", async () => {
    await open();
    await addFilter("user:alice@example.com");
    await addFilter("verb:delete");
    await addFilter("verb:patch");
    const isFiltered = (text: string): boolean => /(delete|patch)[\s\S]*alice@example\.com/.test(text);
    await until(async () => (await rowTexts()).every(isFiltered));
    assert.equal(fragment(), "#user=alice%40example.com&verb=delete&verb=patch");
    assert.deepEqual(await page.locator(".chip-value").allInnerTexts(), ["alice@example.com", "delete", "patch"]);
    await page.goBack();
    await page.goBack();
    assert.deepEqual(await page.locator(".chip-value").allInnerTexts(), ["alice@example.com"]);
    await page.goForward();
    assert.deepEqual(await page.locator(".chip-value").allInnerTexts(), ["alice@example.com", "delete"]);
    await page.getByRole("button", { name: "Remove the filter verb is delete" }).click();
    await page.getByRole("button", { name: "Clear" }).click();
    await total(eventCount - folded);
    assert.equal(fragment(), "");
  });

  test("suggests fields and their most frequent values, by keyboard", async () => {
    await open();
    await page.getByLabel("Add a filter").fill("names");
    await page.getByRole("option", { name: "namespace:" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("option", { name: "namespace: payments" }).waitFor();
    await page.keyboard.type("pay");
    await until(async () => (await page.getByRole("option").count()) === 2);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await until(() => fragment() === "#namespace=payments");
    await page.keyboard.press("Backspace");
    assert.equal(await page.getByLabel("Add a filter").inputValue(), "namespace:payments");
  });

  test("users, namespaces, rankings and the legend are links that filter", async () => {
    await open();
    await page.locator("#rows [data-field=namespace]", { hasText: "payments" }).first().click();
    await until(() => fragment() === "#namespace=payments");
    await page.locator("#rows [data-field=user]", { hasText: "sa shop/" }).first().click();
    const user = "system%3Aserviceaccount%3Ashop%3Acheckout-worker-europe-west-production";
    await until(() => fragment() === `#namespace=payments&user=${user}`);
    await page.locator("#top-resources button", { hasText: "pods/log" }).click();
    await until(() => fragment() === `#namespace=payments&user=${user}&resource=pods%2Flog`);
    await page.locator("#chart-legend button", { hasText: "2xx" }).click();
    await until(() => fragment().endsWith("&code=2*"));
  });

  test("narrows the period to bars by keyboard and by dragging, and goes back", async () => {
    await open();
    await total(eventCount - folded);
    await page.locator("#chart").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Shift+ArrowLeft");
    assert.match((await page.locator("#chart-range").textContent()) ?? "", /^\d\d:\d\d:\d\d – \d\d:\d\d:\d\d$/);
    await page.keyboard.press("Enter");
    await until(() => /^#from=.*&to=/.test(fragment()));
    await page.goBack();
    await total(eventCount - folded);
    const { x = 0, y = 0, width = 0 } = (await page.locator("#chart").boundingBox()) ?? {};
    await page.mouse.move(x + width * 0.9, y + 40);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.95, y + 40);
    await page.mouse.up();
    await until(() => /^#from=.*&to=/.test(fragment()));
    const query = new URLSearchParams(fragment().slice(1));
    const ms = Date.parse(query.get("to") ?? "") - Date.parse(query.get("from") ?? "");
    assert.ok(ms > 60_000 && ms < 3_600_000, String(ms));
  });

  test("asks for a custom period in the time zone that is shown, which a switch changes", async () => {
    await open("#from=2026-01-15T12:00:00.000Z&to=2026-01-15T13:30:00.000Z");
    const period = page.locator("#period");
    await page.locator("#period", { hasText: "Jan 15 13:00 – 14:30" }).waitFor();
    await page.locator("#zone").click();
    await page.locator("#period", { hasText: "Jan 15 12:00 – 13:30" }).waitFor();
    assert.match(fragment(), /&tz=utc$/);
    await period.click();
    assert.equal(await page.locator("#period-from").inputValue(), "2026-01-15T12:00");
    await page.locator("#period-to").fill("2026-01-15T12:45:00");
    await page.keyboard.press("Enter");
    await until(() => new URLSearchParams(fragment().slice(1)).get("to") === "2026-01-15T12:45:00.000Z");
    await period.click();
    await page.getByRole("button", { name: "Last 7 days" }).click();
    await until(() => fragment() === "#last=7d&tz=utc");
  });

  test("marks a filter that the sink does not take, and keeps the result before it", async () => {
    await open();
    await total(eventCount - folded);
    await addFilter("code:9999");
    const message = "code: must be a status code such as 404, or the beginning of one such as 4*.";
    await page.getByText(`${message} Below is still the result of the question before.`).waitFor();
    assert.match((await page.locator(".chip.wrong").textContent()) ?? "", /^code:9999/);
    assert.equal((await rowTexts()).length, 100);
    await total(eventCount - folded);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.locator("#problem").waitFor({ state: "hidden" });
  });

  test("marks a field of the address that does not exist, and a period that is none", async () => {
    await open("#usr=alice&last=soon");
    await page.getByText('"usr": is no parameter; did you mean user?').waitFor();
    assert.equal(await page.locator(".chip.wrong").count(), 1);
    assert.equal(await page.locator("#period.wrong").count(), 1);
  });

  test("tells when no event fits, and starts over", async () => {
    await open("#user=nobody&last=6h");
    await page.getByText("No event fits.").waitFor();
    await total(0);
    await page.getByRole("button", { name: "Start over" }).click();
    await total(eventCount - folded);
  });

  test("shows what an update changed first, with the hook or manager that changed each field", async () => {
    await open(`#event=${patched}`);
    const changes = page.locator("#detail section.changes");
    await changes.locator(".diff-change").first().waitFor();
    assert.deepEqual(await changes.locator(".diff-head").allInnerTexts(), [
      "metadata.labels.team\nby labels.example.com",
      "spec.replicas\nby autoscaler",
      "spec.template.spec.containers[web].image\nby kubectl",
    ]);
    const lines = (await changes.locator(".diff-line").allTextContents()).map((line) => line.replace(/^[−+]\w+: /, ""));
    assert.deepEqual(lines, ['"shop"', "2", "5", '"web:1.27"', '"web:1.28"']);
    assert.equal(await page.locator("#detail-body section").first().getAttribute("class"), "changes");
  });

  test("says so when no earlier event has the object", async () => {
    await open(`#event=${updated}`);
    await page.getByText("No earlier event has the object").waitFor();
  });

  test("shows what webhooks changed, the request and the response, and steps through events by keyboard", async () => {
    await open("#user=alice%40example.com");
    await page.locator("#rows tr").first().focus();
    await page.keyboard.press("Enter");
    const detail = page.locator("#detail");
    await detail.getByRole("heading", { name: "create deployments.apps shop/patched" }).waitFor();
    assert.equal(fragment(), `#user=alice%40example.com&event=${created}`);
    const hook = detail.locator("section", { hasText: "Changed by limits.example.com" });
    assert.deepEqual(await hook.locator(".diff-path").allInnerTexts(), ["/spec/replicas", "/metadata/labels"]);
    assert.match((await detail.getByLabel("Request body").textContent()) ?? "", /"replicas": 1/);
    await page.keyboard.press("j");
    await detail.getByRole("heading", { name: "patch deployments.apps shop/web" }).waitFor();
    assert.equal(fragment(), `#user=alice%40example.com&event=${patched}`);
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "hidden" });
    assert.equal(fragment(), "#user=alice%40example.com");
    assert.equal(await page.evaluate("document.activeElement.ariaSelected !== null"), true);
    await page.goBack();
    await detail.getByRole("heading", { name: "patch deployments.apps shop/web" }).waitFor();
  });

  test("folds long bodies, and shows all of one on demand", async () => {
    await open(`#event=${patched}`);
    const body = page.getByLabel("Response body");
    await body.waitFor();
    const lines = async (): Promise<number> => ((await body.textContent()) ?? "").split("\n").length;
    assert.equal(await lines(), 25);
    await page.getByRole("button", { name: /^Show all \d+ lines$/ }).click();
    assert.ok((await lines()) > 40);
  });

  test("leads to the timeline of an object, and copies the request as a kubectl command", async () => {
    await open(`#event=${patched}`, { token: "reader", permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy as kubectl" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const command = String(await page.evaluate("navigator.clipboard.readText()"));
    assert.match(command, /^kubectl patch deployments\.apps web --namespace=shop --type=strategic --patch='\{"spec"/);
    await page.getByRole("button", { name: "Timeline of the object" }).click();
    await total(2);
    assert.deepEqual(new URLSearchParams(fragment().slice(1)).getAll("name"), ["web"]);
    assert.equal((await rowTexts()).length, 2);
  });

  test("says so when the event of an address is not kept any more", async () => {
    await open("#event=999999");
    await page.getByText("The event 999999 is not kept any more.").waitFor();
    await total(eventCount - folded);
  });

  test("exports the events of the question as CSV and as JSON lines", async () => {
    await open("#name=web");
    await total(2);
    for (const [label, check] of [
      ["CSV", (text: string) => assert.match(text, /^time,user,.*\r\n"[^"]*","alice@example\.com","","patch"/)],
      ["JSON lines", (text: string) => assert.equal(JSON.parse(text.split("\n")[0] ?? "").position, patched)],
    ] as const) {
      await page.locator("#export").click();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.locator("#export-menu button", { hasText: label }).click(),
      ]);
      check(await readFile(await download.path(), "utf8"));
      assert.match(download.suggestedFilename(), /^audit-[\dT-]+Z\.(csv|jsonl)$/);
      await page.keyboard.press("Escape");
    }
  });

  test("saves a query under a name, opens it later, and forgets it", async () => {
    await open("#verb=delete&last=6h");
    await page.locator("#queries").click();
    await page.getByLabel("Save this view as").fill("Deletions");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Deletions", exact: true }).waitFor();
    await page.goto(`${sink.address}/console/#`);
    await page.reload();
    await page.locator("#queries").click();
    await page.getByRole("button", { name: "Deletions", exact: true }).click();
    await until(() => fragment() === "#verb=delete&last=6h");
    await page.locator("#queries").click();
    await page.getByRole("button", { name: "Delete the query Deletions" }).click();
    assert.equal(await page.getByRole("button", { name: "Deletions", exact: true }).count(), 0);
  });

  test("offers three questions to begin with, until one was asked", async () => {
    await open();
    const questions = page.locator("#welcome-questions button");
    assert.equal(await questions.count(), 3);
    await questions.first().click();
    await until(() => fragment() === "#verb=delete&verb=deletecollection&last=1d");
    await page.reload();
    await page.locator("#rows tr").first().waitFor();
    assert.equal(await page.locator("#welcome").isVisible(), false);
  });

  test("folds the top lists away, and remembers that", async () => {
    await open();
    await page.locator("#lists").waitFor();
    await page.getByRole("button", { name: "Top lists" }).click();
    await page.locator("#lists").waitFor({ state: "hidden" });
    await page.reload();
    await page.locator("#rows tr").first().waitFor();
    assert.equal(await page.locator("#lists").isVisible(), false);
  });

  test("switches between light and dark, and remembers that", async () => {
    await open();
    const scheme = () => page.evaluate("getComputedStyle(document.documentElement).colorScheme");
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    assert.equal(await scheme(), "dark");
    await page.reload();
    await until(async () => (await scheme()) === "dark");
  });

  test("shows cards of two lines on a narrow screen, the outcome first, and the event over them", async () => {
    await open("", { token: "reader", viewport: { width: 390, height: 844 } });
    const row = page.locator("#rows tr").first();
    await row.waitFor();
    const box = async (selector: string) => {
      const found = await row.locator(selector).boundingBox();
      assert.ok(found !== null);
      return found;
    };
    const [outcome, verb, object] = [await box(".cell-outcome"), await box(".cell-verb"), await box(".cell-object")];
    assert.ok(outcome.x < verb.x && Math.abs(outcome.y - verb.y) < 5, "the outcome is the first of the first line");
    assert.ok(object.y >= verb.y + verb.height - 1, "the object is on the second line");
    await row.click({ position: { x: 10, y: 10 } });
    const detail = await page.locator("#detail").boundingBox();
    assert.deepEqual([detail?.x, detail?.width], [0, 390]);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 390);
    await page.keyboard.press("Escape");
    await page.locator("#detail").waitFor({ state: "hidden" });
  });

  test("lets in whoever has a client certificate of a reader, without asking for a token", async () => {
    const folder = await testFolder();
    const config = await sinkConfig(folder, {
      anyReader: undefined,
      readers: [{ name: "auditors", commonNames: ["auditor"] }],
      index: { directory: join(folder.path, "index") },
      console: { clusterName: "over TLS" },
    });
    await using sink = await testSink(folder, config);
    const address = `https://127.0.0.1:${sink.port}`;
    for (const [name, isReader] of [
      ["auditor", true],
      ["stranger", false],
    ] as const) {
      const { cert, key } = await folder.client(name);
      const context = await openContext(browser, {
        ignoreHTTPSErrors: true,
        clientCertificates: [{ origin: address, cert: Buffer.from(cert), key: Buffer.from(key) }],
      });
      const page = await context.newPage();
      await page.goto(address);
      await page.getByText(isReader ? "No event has come yet." : "Reader token").waitFor();
      await page.locator("#cluster", { hasText: "over TLS" }).waitFor();
      assert.equal(await page.getByRole("button", { name: "Log out" }).isVisible(), false);
      await context.close();
    }
  });

  test("is served with a strict Content-Security-Policy, and nothing but its own files", async () => {
    await open();
    const answer = await fetch(`${sink.address}/console/`);
    assert.equal(
      answer.headers.get("content-security-policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    assert.equal(answer.headers.get("cache-control"), "no-cache");
    const script = await fetch(`${sink.address}/console/console.js`);
    const again = { "If-None-Match": script.headers.get("etag") ?? "" };
    assert.equal((await fetch(script.url, { headers: again })).status, 304);
    assert.match(answer.headers.get("link") ?? "", /<\/console\/page\/dom\.js>; rel=modulepreload/);
    for (const path of ["../package.json", "console.d.ts", "tsconfig.tsbuildinfo", "page", "constructor"]) {
      assert.equal((await fetch(`${sink.address}/console/${path}`)).status, 404, path);
    }
  });
});
