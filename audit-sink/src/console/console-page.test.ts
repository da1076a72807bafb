import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type CallerAuthenticator, silentLogger } from "@gatehouse/component-base";
import { type Browser, chromium, type Page } from "playwright-core";
import type { EventIndex } from "../index-store/event-index.js";
import { openEventIndex } from "../index-store/open-event-index.js";
import { type AuditLog, openAuditLog } from "../log/audit-log.js";
import { batchOf } from "../log/log.test.support.js";
import { type QueryRoutes, queryRoutes } from "../queries/query-routes.js";
import { sinkConfig, testFolder, testSink, until } from "../sink.test.support.js";
import { openConsoleRoutes } from "./console-routes.js";
import { sampleEvents } from "./sample-events.test.support.js";

const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const isRequired = process.env["REQUIRE_PEERS"] === "1";
const skip = browserPath === undefined && !isRequired ? "there is no chromium on this machine" : false;
/** Where screenshots go, for whoever wants to look at them. */
const screenshots = process.env["CONSOLE_SCREENSHOTS"];

const readers: CallerAuthenticator = {
  authenticate: ({ headers }) =>
    headers.authorization === "Bearer reader" ? { outcome: "accepted", name: "auditor" } : { outcome: "noOpinion" },
};
/** Modules of the page, as texts in its code. */
const patchDiff = JSON.stringify("/console/patch-diff.js");
const targetModule = JSON.stringify("/console/target.js");
const evil = "<img src=x onerror=window.evil=1>";

describe("the console in a browser", { skip }, () => {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-console-"));
  let log: AuditLog;
  let index: EventIndex;
  let routes: QueryRoutes;
  let browser: Browser;
  let page: Page;
  let address: string;
  const problems: string[] = [];
  const server = createServer();

  before(async () => {
    assert.ok(browserPath !== undefined, "REQUIRE_PEERS=1 asks for chromium, and there is none");
    log = await openAuditLog({ directory: join(directory, "log"), segmentBytes: 10_000_000 });
    const retention = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
    index = await openEventIndex({ config: { directory: join(directory, "index"), retention }, log });
    routes = queryRoutes({ index, readers: { admitted: readers, action: "read events" }, logger: silentLogger });
    const consoleRoutes = await openConsoleRoutes({
      clusterName: "staging",
      accent: "blue",
      tokenHint: "It is in the vault.",
    });
    server.on("request", (request, response) => {
      routes.middleware(request, response, () => consoleRoutes(request, response, () => response.writeHead(404).end()));
    });
    await log.append(batchOf(sampleEvents(500, Date.now(), evil)));
    while (index.status.position < 500) {
      await delay(10);
    }
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
    page = await browser.newPage({ viewport: { width: 1400, height: 1000 }, colorScheme: "light" });
    page.on("pageerror", (error) => problems.push(error.message));
    page.on("console", (message) => {
      // The browser tells of each answer that is no success, and of each that does not come.
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
        problems.push(message.text());
      }
    });
    await page.goto(address);
  });

  after(async () => {
    await browser?.close();
    routes[Symbol.dispose]();
    server.close();
    server.closeAllConnections();
    await index[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true });
  });

  async function shoot(name: string): Promise<void> {
    if (screenshots !== undefined) {
      await page.screenshot({ path: join(screenshots, `${name}.png`) });
    }
  }

  const rowTexts = (): Promise<string[]> => page.locator("#rows tr").allInnerTexts();

  test("asks for a token, refuses a wrong one, and keeps the right one in the tab only", async () => {
    await page.getByLabel("Token of a reader").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByText("The sink does not know this token.").waitFor();
    await shoot("login");
    await page.getByLabel("Token of a reader").fill("reader");
    await page.keyboard.press("Enter");
    await page.locator("#rows tr").first().waitFor();
    const kept = await page.evaluate("[sessionStorage.length, localStorage.length, document.cookie, location.href]");
    assert.deepEqual(kept, [1, 0, "", `${address}/console/`]);
  });

  test("shows events, counts and rankings, and what events say never becomes markup", async () => {
    assert.equal((await rowTexts()).length, 100);
    await page.getByText(/^500 events\. Arrow keys/).waitFor();
    assert.equal((await page.locator("#chart .bar rect").count()) > 10, true);
    const users = await page.locator("#top-users li").allInnerTexts();
    assert.ok(
      users.some((text) => text.startsWith(evil)),
      users.join(),
    );
    assert.equal(await page.locator("img").count(), 0);
    assert.equal(await page.evaluate("window.evil"), undefined);
    await shoot("wide-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot("wide-dark");
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("filters by what is typed, and keeps the filter in the address", async () => {
    await page.getByLabel("User", { exact: true }).fill("alice");
    await page.getByLabel("Verb", { exact: true }).fill("delete, patch");
    await page.keyboard.press("Enter");
    await page.locator("#chart-text", { hasText: /^[1-9]\d* events/ }).waitFor();
    const isFiltered = (text: string): boolean => /\talice( as robot)?\t(delete|patch)\t/.test(text);
    await until(async () => (await rowTexts()).every(isFiltered));
    assert.equal(new URL(page.url()).hash, "#user=alice&verb=delete%2C+patch");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText(/^500 events\./).waitFor();
  });

  test("narrows the time to a bar by keyboard, and goes back", async () => {
    await page.locator("#chart").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    assert.match((await page.locator("#chart-text").textContent()) ?? "", /^\d\d:\d\d:\d\d – \d\d:\d\d:\d\d: /);
    await page.keyboard.press("Enter");
    await page.locator(".chip").click();
    await page.getByText(/^500 events\./).waitFor();
  });

  test("opens one event with its request, its response and what webhooks have changed, all by keyboard", async () => {
    await page.getByLabel("Name", { exact: true }).fill("patched");
    await page.keyboard.press("Enter");
    await page.getByText(/^1 event\./).waitFor();
    await page.locator("#rows tr").first().focus();
    await page.keyboard.press("Enter");
    const detail = page.locator("#detail");
    await detail.getByRole("heading", { name: "create deployments.apps shop/patched" }).waitFor();
    const changes = detail.locator("section", { hasText: "Changed by limits.example.com" });
    assert.deepEqual(await changes.locator(".diff p").allInnerTexts(), [
      "/spec/replicas",
      "−1",
      "+3",
      "/metadata/labels",
      '+{\n+  "team": "shop"\n+}'.split("\n")[0],
      '+  "team": "shop"',
      "+}",
    ]);
    assert.match((await detail.locator("pre").first().textContent()) ?? "", /"replicas": 1/);
    await shoot("detail-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot("detail-dark");
    await page.emulateMedia({ colorScheme: "light" });
    await page.keyboard.press("Escape");
    assert.equal(await detail.isVisible(), false);
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText(/^500 events\./).waitFor();
  });

  test("shows events as they come", async () => {
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByText("more as they come").waitFor();
    const [first = ""] = sampleEvents(1, Date.now(), evil);
    await log.append(batchOf([first.replace(/"name":"[^"]*"/, '"name":"just-come"')]));
    await page.locator("#rows tr", { hasText: "just-come" }).waitFor();
    await page.getByRole("button", { name: "Live" }).click();
  });

  test("tells when no event fits, and when a question is wrong", async () => {
    await page.getByLabel("User", { exact: true }).fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByText("No event fits. Try a longer period, or fewer filters.").waitFor();
    await page.getByText(/^0 events\. $/).waitFor();
    await shoot("empty-light");
    await page.getByLabel("Code", { exact: true }).fill("9999");
    await page.keyboard.press("Enter");
    await page.getByText("code: must be a status code such as 404, or the beginning of one such as 4*").waitFor();
    await shoot("wrong-light");
    await page.getByRole("button", { name: "Clear" }).click();
    await page.getByText(/^50\d events\. Arrow/).waitFor();
    assert.equal(await page.locator("#problem").isVisible(), false);
  });

  test("tells that the sink is away, and goes on by itself when it is back", async () => {
    const { port } = server.address() as AddressInfo;
    await page.getByRole("button", { name: "Live" }).click();
    await page.getByText("more as they come").waitFor();
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    await page.getByText(/^The sink cannot be reached\./).waitFor();
    await shoot("away-light");
    const [first = ""] = sampleEvents(1, Date.now(), evil);
    await log.append(batchOf([first.replace(/"name":"[^"]*"/, '"name":"came-meanwhile"')]));
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    await page.locator("#rows tr", { hasText: "came-meanwhile" }).waitFor();
    await page.locator("#problem").waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Live" }).click();
  });

  const targets: readonly [object, string, string][] = [
    [{ requestURI: "/api/v1/namespaces/shop/pods?limit=5" }, "pods", "shop/"],
    [{ requestURI: "/apis/apps/v1/namespaces/shop/deployments/web/scale" }, "deployments.apps/scale", "shop/web"],
    [{ requestURI: "/apis/apps/v1/watch/deployments" }, "deployments.apps", ""],
    [{ requestURI: "/api/v1/namespaces/shop" }, "namespaces", "shop"],
    [{ requestURI: "/version?timeout=1s" }, "/version", ""],
    [{ requestURI: 7, objectRef: { resource: 3 } }, "3", ""],
    [{}, "", ""],
    [{ objectRef: { resource: "namespaces", namespace: "shop", name: "shop" } }, "namespaces", "shop"],
  ];
  for (const [event, resource, object] of targets) {
    test(`an event's target is shown, with objectRef or without: ${JSON.stringify(event)}`, async () => {
      const found = await page.evaluate(`import(${targetModule}).then(({ resourceOf, objectOf }) =>
        [resourceOf(${JSON.stringify(event)}), objectOf(${JSON.stringify(event)})])`);
      assert.deepEqual(found, [resource, object]);
    });
  }

  const diffs: readonly [string, unknown, readonly object[], unknown][] = [
    ["removes what was sent", { a: { b: 1 } }, [{ op: "remove", path: "/a/b" }], [["/a/b", ["1"], []]]],
    [
      "inserts into a list, and what follows is found one further on",
      { list: ["x", "y"] },
      [
        { op: "add", path: "/list/0", value: "w" },
        { op: "replace", path: "/list/2", value: "z" },
        { op: "add", path: "/list/-", value: "end" },
      ],
      [
        ["/list/0", [], ['"w"']],
        ["/list/2", ['"y"'], ['"z"']],
        ["/list/-", [], ['"end"']],
      ],
    ],
    [
      "moves and copies",
      { "a/b": { c: 1 } },
      [
        { op: "move", from: "/a~1b/c", path: "/d" },
        { op: "copy", from: "/d", path: "/e" },
        { op: "test", path: "/e", value: 1 },
      ],
      [
        ["/d", [], ["1"]],
        ["/e", [], ["1"]],
        ["/e", [], []],
      ],
    ],
    [
      "says that it does not know what was there before",
      {},
      [{ op: "replace", path: "/spec/replicas", value: 2 }],
      [["/spec/replicas", null, ["2"]]],
    ],
    [
      "takes __proto__ for a member like any other",
      {},
      [
        { op: "add", path: "/__proto__", value: { polluted: true } },
        { op: "add", path: "/polluted", value: 1 },
      ],
      [
        ["/__proto__", [], ["{", '  "polluted": true', "}"]],
        ["/polluted", [], ["1"]],
      ],
    ],
  ];
  for (const [name, sent, patch, changes] of diffs) {
    test(`a diff ${name}`, async () => {
      const annotations = {
        "patch.webhook.admission.k8s.io/round_0_index_0": JSON.stringify({ configuration: "c", webhook: "w", patch }),
        "patch.webhook.admission.k8s.io/round_0_index_1": "no JSON",
      };
      const found = await page.evaluate(`import(${patchDiff}).then(({ webhookPatches }) =>
        webhookPatches(${JSON.stringify(annotations)}, ${JSON.stringify(sent)}).flatMap(({ changes }) =>
          changes.map(({ path, removed, added }) => [path, removed ?? null, added])))`);
      assert.deepEqual(found, changes);
      assert.equal(await page.evaluate("({}).polluted"), undefined);
    });
  }

  test("fits a narrow screen", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await shoot("narrow-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await shoot("narrow-dark");
    const width = await page.evaluate("document.documentElement.scrollWidth");
    assert.equal(width, 390);
  });

  test("lets in whoever has a client certificate of a reader, without asking for a token", async () => {
    const folder = await testFolder();
    const config = await sinkConfig(folder, {
      anyReader: undefined,
      readers: [{ name: "auditors", commonNames: ["auditor"] }],
      index: { directory: join(folder.path, "index") },
    });
    await using sink = await testSink(folder, config);
    const address = `https://127.0.0.1:${sink.port}`;
    for (const [name, isReader] of [
      ["auditor", true],
      ["stranger", false],
    ] as const) {
      const { cert, key } = await folder.client(name);
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        clientCertificates: [{ origin: address, cert: Buffer.from(cert), key: Buffer.from(key) }],
      });
      const visited = await context.newPage();
      await visited.goto(address);
      await visited.getByText(isReader ? "No event fits." : "Token of a reader").waitFor();
      assert.equal(await visited.getByRole("button", { name: "Log out" }).isVisible(), false);
      await context.close();
    }
  });

  test("breaks no rule of its Content-Security-Policy, and throws nothing", async () => {
    assert.deepEqual(problems, []);
    const answer = await fetch(`${address}/console/`);
    assert.equal(
      answer.headers.get("content-security-policy"),
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    assert.equal((await fetch(`${address}/console/../package.json`)).status, 404);
  });
});
