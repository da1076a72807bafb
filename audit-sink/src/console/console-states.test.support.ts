import type { Browser, Page } from "playwright-core";
import { evil, openPage, startConsole, type TestConsole } from "./console.test.support.js";
import { sampleEvents } from "./sample-events.test.support.js";

/** One state of the page: where it begins, and what is done to reach it. */
interface State {
  readonly fragment?: string;
  readonly isLoggedOut?: boolean;
  readonly isEmpty?: boolean;
  readonly keepsWelcome?: boolean;
  readonly stopsSink?: boolean;
  readonly reach?: (page: Page, sink: TestConsole) => Promise<void>;
}

const rows = (page: Page): Promise<void> => page.locator("#rows tr").first().waitFor();

/** Every state of the page that people can meet, by name. */
export const states: Readonly<Record<string, State>> = {
  login: { isLoggedOut: true, reach: (page) => page.getByLabel("Reader token").waitFor() },
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
    stopsSink: true,
    reach: async (page, sink) => {
      await rows(page);
      await page.locator("#live").click();
      await sink.stop();
      await page.getByText("Trying again").waitFor();
    },
  },
};

/** A sink with events, and one without. */
export interface StateSinks extends AsyncDisposable {
  readonly full: TestConsole;
  readonly empty: TestConsole;
}

/** Starts the sinks that states need. */
export async function startSinks(): Promise<StateSinks> {
  const full = await startConsole({ clusterName: "staging", tokenHint: "The token is in the file reader.token." });
  const empty = await startConsole({ clusterName: "new", accent: "violet" });
  await full.append(sampleEvents(500, Date.now(), evil));
  return {
    full,
    empty,
    async [Symbol.asyncDispose]() {
      await full[Symbol.asyncDispose]();
      await empty[Symbol.asyncDispose]();
    },
  };
}

/** Opens a page and brings it into a state; disposing of it repairs the sink. */
export async function openState(
  browser: Browser,
  sinks: StateSinks,
  name: string,
  width: number,
): Promise<{ readonly page: Page } & AsyncDisposable> {
  const state = states[name];
  if (state === undefined) {
    throw new Error(`there is no state ${name}`);
  }
  const sink = state.isEmpty === true ? sinks.empty : sinks.full;
  const opened = await openPage(browser, sink, {
    viewport: { width, height: width < 600 ? 844 : 800 },
    fragment: state.fragment ?? "",
    // Nothing moves while a picture is taken.
    reducedMotion: "reduce",
    ...(state.isLoggedOut === true ? {} : { token: "reader" }),
    ...(state.keepsWelcome === true ? {} : { preferences: { welcome: "seen" } }),
  });
  const leave = async (): Promise<void> => {
    await opened[Symbol.asyncDispose]();
    if (state.stopsSink === true) {
      await sink.stop();
      await sink.start();
    }
  };
  try {
    await state.reach?.(opened.page, sink);
  } catch (error) {
    await leave();
    throw error;
  }
  return { page: opened.page, [Symbol.asyncDispose]: leave };
}
