import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { anyCaller, type CallerAuthenticator } from "@gatehouse/component-base/https-service";
import { silentLogger } from "@gatehouse/component-base/logs";
import type { EventIndex } from "../index-store/event-index.js";
import { openEventIndex } from "../index-store/open-event-index.js";
import { type AuditLog, openAuditLog } from "../log/audit-log.js";
import { batchOf } from "../log/log.test.support.js";
import { type QueryRoutes, queryRoutes } from "./query-routes.js";

const nowMs = Date.parse("2026-01-01T01:00:00Z");
const readers: CallerAuthenticator = {
  authenticate: ({ headers }) =>
    headers.authorization === "Bearer reader" ? { outcome: "accepted", name: "auditor" } : { outcome: "noOpinion" },
};

function eventText(n: number, more = ""): string {
  const time = `2026-01-01T00:${String(n % 60).padStart(2, "0")}:00.000000Z`;
  return `{"auditID":"id-${n}","stage":"ResponseComplete","verb":"${n % 2 === 0 ? "get" : "list"}","requestURI":"/api/v1/namespaces/a/pods/p${n}","user":{"username":"u${n % 3}"},"responseStatus":{"code":${n % 2 === 0 ? 200 : 403}},"stageTimestamp":"${time}"${more}}`;
}

interface Answer {
  readonly code: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly headers: IncomingMessage["headers"];
}

describe("questions over HTTP", () => {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-queries-"));
  let log: AuditLog;
  let index: EventIndex;
  let routes: QueryRoutes;
  const server = createServer((request, response) => {
    routes.middleware(request, response, () => response.writeHead(404).end("not for the routes"));
  });

  before(async () => {
    log = await openAuditLog({ directory: join(directory, "log"), segmentBytes: 1_000_000 });
    const retention = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };
    index = await openEventIndex({ config: { directory: join(directory, "index"), retention }, log });
    routes = queryRoutes({
      index,
      readers: { admitted: readers, action: "read events" },
      logger: silentLogger,
      maxTails: 1,
      now: () => nowMs,
    });
    await log.append(batchOf(Array.from({ length: 60 }, (_, n) => eventText(n))));
    while (index.status.position < 60) {
      await delay(10);
    }
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });

  after(async () => {
    routes[Symbol.dispose]();
    server.close();
    await index[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true });
  });

  async function open(path: string, token = "reader", method = "GET"): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${token}` };
    const request = httpRequest({ host: "127.0.0.1", port, path, method, headers, agent: false });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response;
  }

  async function ask(path: string, token?: string, method?: string): Promise<Answer> {
    const response = await open(path, token, method);
    const chunks = await response.setEncoding("utf8").toArray();
    const text = chunks.join("");
    const body = text.startsWith("{") ? (JSON.parse(text) as Record<string, unknown>) : {};
    return { code: response.statusCode ?? 0, body, text, headers: response.headers };
  }

  test("events are told newest first, as they were sent, page by page", async () => {
    const first = await ask("/api/events?user=u1&limit=2");
    const item = (n: number) => `{"position":${n},"sender":"cluster-a","event":${eventText(n)}}`;
    const { next } = first.body;
    assert.equal(first.code, 200);
    assert.equal(first.text, `{"items":[${item(58)},${item(55)}],"next":${JSON.stringify(next)}}\n`);
    assert.equal(first.headers["cache-control"], "no-store");
    const second = await ask(`/api/events?user=u1&limit=1000&cursor=${String(next)}`);
    assert.equal(second.text, `{"items":[${Array.from({ length: 18 }, (_, n) => item(52 - 3 * n)).join(",")}]}\n`);
  });

  test("one event is told by its position", async () => {
    assert.equal((await ask("/api/events/7")).text, `{"position":7,"sender":"cluster-a","event":${eventText(7)}}\n`);
    for (const path of ["/api/events/60", "/api/events/x", "/api/events/7/y", "/api/other", "/api"]) {
      const { code, body } = await ask(path);
      assert.deepEqual([code, body["reason"]], [404, "NotFound"], path);
    }
    assert.equal((await ask("/apiary")).text, "not for the routes");
  });

  test("counts are told over a period", async () => {
    const { code, body } = await ask("/api/stats?from=1h&buckets=2&top=1&user=!u0");
    assert.equal(code, 200);
    assert.deepEqual(body, {
      from: "2026-01-01T00:00:00.000Z",
      to: "2026-01-01T01:00:00.000Z",
      bucketSeconds: 1800,
      complete: true,
      countedFrom: "2026-01-01T00:00:00.000Z",
      total: 40,
      bytes: Array.from({ length: 60 }, (_, n) => n)
        .filter((n) => n % 3 !== 0)
        .reduce((sum, n) => sum + eventText(n).length, 0),
      byVerb: { get: [10, 10], list: [10, 10] },
      byOutcome: { "2xx": [10, 10], "4xx": [10, 10] },
      top: { user: [{ value: "u1", count: 20 }], resource: [{ value: "pods", count: 40 }] },
      index: { ...(body["index"] as object), events: 60, position: 60, oldest: "2026-01-01T00:00:00.000Z" },
    });
  });

  test("the most frequent texts of any field are told when it is asked for", async () => {
    const { body } = await ask("/api/stats?from=1h&top=2&rank=verb&rank=code&user=u1");
    assert.deepEqual(Object.keys(body["top"] as object), ["verb", "code"]);
    const { verb } = body["top"] as { verb: readonly object[] };
    assert.deepEqual(verb, [
      { value: "get", count: 10 },
      { value: "list", count: 10 },
    ]);
  });

  const mistakes: readonly [string, string][] = [
    ["/api/events?usr=x", '"usr": is no parameter; did you mean user?'],
    ["/api/events?limit=0", "limit: must be a whole number from 1 to 1000"],
    ["/api/events?limit=1&limit=2", "limit: must be given once only"],
    ["/api/events?code=20", "code: must be a status code such as 404, or the beginning of one such as 4*"],
    ["/api/events?cursor=x", "cursor: is not one that was given here"],
    ["/api/events?cursor=eyJ0IjoxLCJwIjoxLCJxIjoieCJ9", "cursor: belongs to a question with other parameters"],
    [
      "/api/events?from=yesterday",
      "from: must be a time such as 2026-01-31T00:00:00Z, or how long ago it was, such as 90m or 7d",
    ],
    ["/api/events?from=1h&to=2h", "to: must be later than from"],
    [
      "/api/events?from=2026-13-01",
      "from: must be a time such as 2026-01-31T00:00:00Z, or how long ago it was, such as 90m or 7d",
    ],
    [`/api/events?user=${"x".repeat(513)}`, "user: must have 512 characters at most"],
    [`/api/events?${"user=x&".repeat(51)}`, "user: must be given 50 times at most"],
    [
      "/api/stats?buckets=501&top=x",
      "buckets: must be a whole number from 1 to 500; top: must be a whole number from 1 to 100",
    ],
    ["/api/stats?from=2027-01-01", "from: must be earlier than now"],
    ["/api/tail?limit=1", '"limit": is no parameter'],
    [
      "/api/stats?rank=colour",
      "rank: must be one of user, impersonatedUser, verb, resource, namespace, name, code, decision, stage, level, sourceIP, sender",
    ],
  ];
  for (const [path, message] of mistakes) {
    test(`400: ${path.slice(0, 60)}`, async () => {
      const { code, body } = await ask(path);
      const causes = message.split(/; (?=buckets:|top:)/).map((problem) => {
        const [field = "", ...rest] = problem.split(": ");
        return { field, message: rest.join(": ") };
      });
      assert.deepEqual(
        { code, ...body },
        {
          code: 400,
          kind: "Status",
          apiVersion: "v1",
          metadata: {},
          status: "Failure",
          message,
          reason: "BadRequest",
          details: { causes },
        },
      );
    });
  }

  test("nobody but readers is answered, and nothing but GET", async () => {
    const refused = await ask("/api/events", "sender");
    assert.deepEqual([refused.code, refused.body["reason"]], [401, "Unauthorized"]);
    assert.equal(refused.headers["www-authenticate"], "Bearer");
    assert.deepEqual((await ask("/api/whoami")).body, { name: "auditor" });
    assert.equal((await ask("/api/events", "reader", "POST")).code, 405);
  });

  test("who follows is told of events that fit, as they come; more than there is room for are refused", async () => {
    const response = await open("/api/tail?verb=watch");
    assert.equal(response.headers["content-type"], "application/x-ndjson");
    const lines = createInterface({ input: response })[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, "");
    assert.equal((await ask("/api/tail")).code, 429);
    await log.append(batchOf([eventText(60), eventText(61).replace('"list"', '"watch"')]));
    const told = await lines.next();
    assert.deepEqual(JSON.parse(told.value as string), {
      position: 61,
      sender: "cluster-a",
      event: JSON.parse(eventText(61).replace('"list"', '"watch"')) as unknown,
    });
    routes[Symbol.dispose]();
    assert.equal((await lines.next()).done, true);
    const refused = await ask("/api/tail");
    assert.deepEqual([refused.code, refused.body["message"]], [503, "the audit sink is stopping"]);
  });

  test("a sink without an index says so", async () => {
    using without = queryRoutes({
      index: undefined,
      readers: { admitted: anyCaller, action: "read events" },
      logger: silentLogger,
    });
    routes = without;
    const { code, body } = await ask("/api/events");
    assert.equal(code, 404);
    assert.equal(body["message"], "this audit sink keeps no index: its configuration has no member index");
  });
});
