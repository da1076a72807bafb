import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import {
  type ConsolePage,
  openPage,
  skip,
  startBrowser,
  startConsole,
  type TestConsole,
} from "./console.test.support.js";
import { sampleEvents } from "./sample-events.test.support.js";

describe("the console while events come and the sink goes", { skip }, () => {
  let sink: TestConsole;
  let browser: Browser;
  let opened: ConsolePage | undefined;
  let page: Page;

  before(async () => {
    sink = await startConsole();
    browser = await startBrowser();
  });

  after(async () => {
    await browser?.close();
    await sink?.[Symbol.asyncDispose]();
  });

  afterEach(async () => opened?.[Symbol.asyncDispose]());

  async function open(): Promise<void> {
    opened = await openPage(browser, sink, { token: "reader" });
    ({ page } = opened);
  }

  /** Stores an event about an object of this name. */
  async function append(name: string): Promise<void> {
    const [, event = ""] = sampleEvents(2, Date.now(), "");
    await sink.append([event.replace(/"name":"[^"]*"/, `"name":"${name}"`)]);
  }

  const row = (name: string) => page.locator("#rows tr", { hasText: name });

  test("waits for the first event, and shows it without being asked", async () => {
    await open();
    await page.getByText("No event has come yet.").waitFor();
    await append("first");
    await row("first").waitFor();
    assert.equal(await page.locator("#first-event").isVisible(), false);
  });

  test("shows events as they come", async () => {
    await open();
    await row("first").waitFor();
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByText("more as they come").waitFor();
    await append("just-come");
    await row("just-come").waitFor();
  });

  test("names a sink that has stopped, tries again, and Live goes on with what came meanwhile", async () => {
    await open();
    await row("first").waitFor();
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByText("more as they come").waitFor();
    await sink.stop();
    await page.getByText("The audit sink is stopped or cannot be reached. Trying again …").waitFor();
    assert.equal(await row("first").count(), 1);
    await append("came-meanwhile");
    await sink.start();
    await row("came-meanwhile").waitFor();
    await page.locator("#problem").waitFor({ state: "hidden" });
    assert.equal(await page.getByRole("button", { name: "Live" }).getAttribute("aria-pressed"), "true");
    await append("came-after");
    await row("came-after").waitFor();
  });

  test("names a sink that is about to stop", async () => {
    await open();
    await row("first").waitFor();
    sink.endTails();
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByText("the audit sink is stopping. Trying again …").waitFor();
    await sink.stop();
    await sink.start();
    await page.locator("#problem").waitFor({ state: "hidden" });
  });

  test("waits for a sink that is away when the page is loaded", async () => {
    await open();
    await row("first").waitFor();
    await page.route("**/api/whoami?*", (route) => route.abort());
    await page.reload();
    await page.getByText("The audit sink is stopped or cannot be reached. Trying again …").waitFor();
    await page.unroute("**/api/whoami?*");
    await row("first").waitFor();
    assert.equal(await page.locator("#problem").isVisible(), false);
  });
});
