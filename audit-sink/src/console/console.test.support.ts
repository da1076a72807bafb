import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { CallerAuthenticator } from "@gatehouse/component-base/https-service";
import { silentLogger } from "@gatehouse/component-base/logs";
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type ConsoleMessage,
  chromium,
  type Page,
} from "playwright-core";
import type { ConsoleConfig } from "../config/audit-sink-config.js";
import { openEventIndex } from "../index-store/open-event-index.js";
import { openAuditLog } from "../log/audit-log.js";
import { batchOf } from "../log/log.test.support.js";
import { queryRoutes } from "../queries/query-routes.js";
import { openConsoleRoutes } from "./console-routes.js";

/** Path of a browser on this machine; undefined when there is none. */
export const browserPath: string | undefined = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find(existsSync);

/** Reason why tests in a browser are skipped; `false` when they run. With REQUIRE_PEERS=1 they fail instead. */
export const skip: string | false =
  browserPath === undefined && process.env["REQUIRE_PEERS"] !== "1" ? "there is no chromium on this machine" : false;

/** The user name of some sample events: markup that must stay text. */
export const evil = "<img src=x onerror=window.evil=1>";

const readers: CallerAuthenticator = {
  authenticate: ({ headers }) =>
    headers.authorization === "Bearer reader" ? { outcome: "accepted", name: "auditor" } : { outcome: "noOpinion" },
};

/** A console over an index of its own, in this process. */
export interface TestConsole extends AsyncDisposable {
  readonly address: string;
  /** Stores events, given as JSON, and waits until the index has them. */
  append(events: readonly string[]): Promise<void>;
  /** Stops serving, or serves again at the same address. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Makes the sink end those who follow events and refuse others, as one that stops. */
  endTails(): void;
}

/** Starts a console. The token of its reader is `reader`. */
export async function startConsole(config: Partial<ConsoleConfig> = {}): Promise<TestConsole> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-console-"));
  const log = await openAuditLog({ directory: join(directory, "log"), segmentBytes: 10_000_000 });
  const retention = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
  const index = await openEventIndex({ config: { directory: join(directory, "index"), retention }, log });
  const open = () =>
    queryRoutes({ index, readers: { admitted: readers, action: "read events" }, logger: silentLogger });
  let routes = open();
  const files = await openConsoleRoutes({ clusterName: "", accent: "teal", tokenHint: "", ...config });
  const server: Server = createServer((request, response) => {
    keepScripts(request, response);
    routes.middleware(request, response, () => files(request, response, () => response.writeHead(404).end()));
  });
  let port = 0;
  let count = 0;
  const start = async (): Promise<void> => {
    routes = open();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    ({ port } = server.address() as AddressInfo);
  };
  const stop = async (): Promise<void> => {
    routes[Symbol.dispose]();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  await start();
  return {
    address: `http://127.0.0.1:${port}`,
    start,
    stop,
    endTails: () => routes[Symbol.dispose](),
    async append(events) {
      await log.append(batchOf([...events]));
      count += events.length;
      while (index.status.position < count) {
        await delay(10);
      }
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await index[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Lets a browser keep scripts and styles, which it otherwise asks for anew whenever a test opens the page. */
function keepScripts({ url = "" }: IncomingMessage, response: ServerResponse): void {
  if (/\.(?:js|css)$/.test(url)) {
    const { writeHead } = response;
    response.writeHead = ((code: number, headers: OutgoingHttpHeaders) =>
      writeHead.call(response, code, { ...headers, "Cache-Control": "max-age=3600" })) as typeof writeHead;
  }
}

/** Starts a headless browser. */
export async function startBrowser(): Promise<Browser> {
  assert.ok(browserPath !== undefined, "there is no chromium on this machine");
  return await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
}

/** Milliseconds to wait for what a page should show: on a busy machine much more than Playwright's 30 s. */
const patienceMs = 120_000;

/** Opens a context of a browser whose pages are waited for with patience. */
export async function openContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patienceMs);
  return context;
}

/** A page of the console, with all that went wrong in it. */
export interface ConsolePage extends AsyncDisposable {
  readonly page: Page;
  /** Errors of scripts and of the Content-Security-Policy. */
  readonly problems: readonly string[];
}

/** Options of a page. */
interface PageOptions {
  /** Fragment of the address. */
  readonly fragment?: string;
  /** Token that is logged in with; without one the page asks for it. */
  readonly token?: string;
  /** The storage that the browser keeps between visits. */
  readonly preferences?: Readonly<Record<string, unknown>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  readonly reducedMotion?: "reduce" | "no-preference";
  /** Permissions of the page, which then is one of its own. */
  readonly permissions?: readonly string[];
}

const timezoneId = "Europe/Berlin";

/** The page of each browser that tests use in turn: a new one costs more processor time than most tests do in it. */
const sharedPages = new WeakMap<Browser, Page>();

/**
 * Opens the console as a browser does that was never there, in the page that the tests of a browser share. What tests
 * leave in it (storage, cookies, routes, other pages, the place of the mouse) is removed here, not when they end: one that
 * fails may leave anything. Permissions stay with a context, so that a page with some has one of its own.
 */
export async function openPage(browser: Browser, sink: TestConsole, options: PageOptions = {}): Promise<ConsolePage> {
  const { fragment = "", permissions } = options;
  const page = permissions === undefined ? await sharedPage(browser) : await ownPage(browser, permissions);
  await page.setViewportSize(options.viewport ?? { width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: options.reducedMotion ?? "no-preference" });
  await fillStorage(page, sink, options);
  const problems: string[] = [];
  const onError = (error: Error): void => void problems.push(error.message);
  const onMessage = (message: ConsoleMessage): void => {
    // The browser tells of each answer that is no success, and of each that does not come.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      problems.push(message.text());
    }
  };
  page.on("pageerror", onError).on("console", onMessage);
  await page.goto(`${sink.address}/console/${fragment}`);
  return {
    page,
    problems,
    async [Symbol.asyncDispose]() {
      page.off("pageerror", onError).off("console", onMessage);
      if (permissions !== undefined) {
        await page.context().close();
      }
    },
  };
}

async function ownPage(browser: Browser, permissions: readonly string[]): Promise<Page> {
  const context = await openContext(browser, { timezoneId, permissions: [...permissions] });
  return await context.newPage();
}

async function sharedPage(browser: Browser): Promise<Page> {
  const known = sharedPages.get(browser);
  if (known !== undefined && !known.isClosed()) {
    const others = known
      .context()
      .pages()
      .filter((page) => page !== known);
    await Promise.all(others.map((page) => page.close()));
    await known.unrouteAll();
    await known.context().clearCookies();
    await known.mouse.move(-1, -1);
    return known;
  }
  const page = await (await openContext(browser, { timezoneId })).newPage();
  sharedPages.set(browser, page);
  return page;
}

/** Makes the storage of the console's origin what a test begins with, from a page of that origin that has no script. */
async function fillStorage(
  page: Page,
  { address }: TestConsole,
  { token, preferences = {} }: PageOptions,
): Promise<void> {
  await page.goto(`${address}/console/none`);
  const session = token === undefined ? {} : { "gatehouse-audit-token": token };
  const local = Object.fromEntries(
    Object.entries(preferences).map(([name, value]) => [`gatehouse-audit-${name}`, JSON.stringify(value)]),
  );
  await page.evaluate(`for (const [storage, values] of ${JSON.stringify([
    ["sessionStorage", session],
    ["localStorage", local],
  ])}) {
    window[storage].clear();
    Object.assign(window[storage], values);
  }`);
}
