// Takes a picture of every state of the console, at two widths, light and dark, for people to look at. Usage, after a
// build: npm run screenshots -w @gatehouse/audit-sink -- FOLDER [STATE ...]
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { evil, openPage, startBrowser, startConsole, type TestConsole } from "./console.test.support.js";
import { sampleEvents } from "./sample-events.test.support.js";

/** One state of the page: where it begins, and what is done to reach it. */
interface State {
  readonly fragment?: string;
  readonly isLoggedOut?: boolean;
  readonly isEmpty?: boolean;
  readonly keepsWelcome?: boolean;
  readonly reach?: (page: Page, sink: TestConsole) => Promise<void>;
}

const rows = (page: Page): Promise<void> => page.locator("#rows tr").first().waitFor();

const states: Readonly<Record<string, State>> = {
  login: { isLoggedOut: true },
  "login-wrong": {
    isLoggedOut: true,
    reach: async (page) => {
      await page.getByLabel("Reader token").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByText("does not know this token").waitFor();
    },
  },
  "first-run": { keepsWelcome: true, reach: rows },
  "no-event-yet": {
    isEmpty: true,
    keepsWelcome: true,
    reach: (page) => page.getByText("No event has come yet.").waitFor(),
  },
  events: { reach: rows },
  "system-accounts": { fragment: "#system=shown&split=verb", reach: rows },
  filtered: { fragment: "#user=alice%40example.com&verb=!watch&code=2*&last=6h", reach: rows },
  suggestions: {
    reach: async (page) => {
      await rows(page);
      await page.getByLabel("Add a filter").fill("user:");
      await page.locator("[role=option]").first().waitFor();
      await page.keyboard.press("ArrowDown");
    },
  },
  period: {
    fragment: "#last=7d",
    reach: async (page) => {
      await rows(page);
      await page.locator("#period").click();
    },
  },
  "queries-menu": {
    reach: async (page) => {
      await rows(page);
      await page.locator("#queries").click();
      await page.getByLabel("Save this view as").fill("Deletions in shop");
      await page.keyboard.press("Enter");
    },
  },
  "export-menu": {
    reach: async (page) => {
      await rows(page);
      await page.locator("#export").click();
    },
  },
  "chart-selection": {
    reach: async (page) => {
      await rows(page);
      await page.locator("#chart").focus();
      await page.keyboard.press("End");
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Shift+ArrowLeft");
      await page.keyboard.press("Shift+ArrowLeft");
    },
  },
  "no-event-fits": { fragment: "#user=nobody", reach: (page) => page.getByText("No event fits.").waitFor() },
  "wrong-filter": {
    reach: async (page) => {
      await rows(page);
      await page.getByLabel("Add a filter").fill("code:9999");
      await page.keyboard.press("Enter");
      await page.locator("#problem").waitFor();
    },
  },
  update: { fragment: "#name=web&event=497", reach: (page) => page.locator(".diff-author").first().waitFor() },
  create: { fragment: "#event=498", reach: (page) => page.getByText("Changed by limits.example.com").waitFor() },
  refused: { fragment: "#code=403&event=446", reach: (page) => page.locator("#detail-title").waitFor() },
  live: {
    reach: async (page) => {
      await rows(page);
      await page.locator("#live").click();
    },
  },
  away: {
    reach: async (page, sink) => {
      await rows(page);
      await page.locator("#live").click();
      await sink.stop();
      await page.getByText("Trying again").waitFor();
    },
  },
};

const [folder = "", ...names] = process.argv.slice(2);
if (folder === "") {
  throw new Error("name a folder for the pictures");
}
mkdirSync(folder, { recursive: true });
const browser = await startBrowser();
await using sink = await startConsole({ clusterName: "staging", tokenHint: "The token is in the file reader.token." });
await using emptySink = await startConsole({ clusterName: "new", accent: "violet" });
await sink.append(sampleEvents(500, Date.now(), evil));
for (const [name, state] of Object.entries(states)) {
  if (names.length === 0 || names.includes(name)) {
    await shoot(browser, name, state, state.isEmpty === true ? emptySink : sink);
  }
}
await browser.close();

async function shoot(browser: Browser, name: string, state: State, sink: TestConsole): Promise<void> {
  for (const width of [1280, 390]) {
    const { page } = await openPage(browser, sink, {
      viewport: { width, height: width === 390 ? 844 : 800 },
      ...(state.isLoggedOut === true ? {} : { token: "reader" }),
      fragment: "#last=15m",
    });
    if (state.keepsWelcome !== true) {
      await page.evaluate(`localStorage.setItem("gatehouse-audit-welcome", '"seen"')`);
    }
    await page.goto("about:blank");
    await page.goto(`${sink.address}/console/${state.fragment ?? ""}`);
    await state.reach?.(page, sink);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: resolve(join(folder, `${name}-${width}-${colorScheme}.png`)) });
    }
    await page.context().close();
    if (name === "away") {
      await sink.start();
    }
  }
}
