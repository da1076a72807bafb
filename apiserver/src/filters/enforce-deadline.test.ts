import assert from "node:assert/strict";
import { mock, type TestContext, test } from "node:test";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { RequestContext } from "../request/request-context.js";
import { resolveRequestInfo } from "../request/request-info.js";
import { enforceDeadline } from "./enforce-deadline.js";
import { filterMetrics } from "./filter-metrics.js";

/** Sends a request that is never answered; resolves to the message of the error that ends it. */
function send(line: string): Promise<string> {
  const [method = "", path = ""] = line.split(" ");
  const query = new URLSearchParams();
  const info = resolveRequestInfo(method, path, query);
  const context = { info, path, query, receivedAtMs: 0, abort() {} } as unknown as RequestContext;
  const metrics = filterMetrics(createMetricsRegistry({ processMetrics: false }));
  const filter = enforceDeadline(60_000, { ...metrics, timedOut() {} }, (asked) =>
    asked.startsWith("/apis/elsewhere/"),
  );
  const outcome = filter(context, () => new Promise(() => {}));
  return Promise.resolve(outcome).then(
    () => assert.fail("the request has no answer"),
    (error: Error) => error.message,
  );
}

function mockTime(t: TestContext): void {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
}

test("a write that this server answers ends after 34 s, and a read after --request-timeout", async (t) => {
  mockTime(t);
  const ended: string[] = [];
  const read = send("GET /api/v1/pods").then((message) => ended.push(message));
  const write = send("POST /api/v1/namespaces/x/pods").then((message) => ended.push(message));
  mock.timers.tick(34_000);
  await write;
  assert.deepEqual(ended, ["Timeout: request did not complete within requested timeout - context deadline exceeded"]);
  mock.timers.tick(26_000);
  await read;
  assert.equal(ended[1], "Timeout: request did not complete within the allotted timeout");
});

test("a write that another server answers may take all of --request-timeout", async (t) => {
  mockTime(t);
  let ended = "";
  const write = send("POST /apis/elsewhere/v1/namespaces/x/things").then((message) => {
    ended = message;
  });
  mock.timers.tick(59_999);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(ended, "");
  mock.timers.tick(1);
  await write;
  assert.equal(ended, "Timeout: request did not complete within the allotted timeout");
});
