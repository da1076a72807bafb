import assert from "node:assert/strict";
import { mock, type TestContext, test } from "node:test";
import { fieldValue } from "@gatehouse/component-base/http2";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { RequestAuditTrail } from "../request/audit-trail.js";
import type { Exchange } from "../request/exchange.js";
import { RequestContext } from "../request/request-context.js";
import { resolveRequestInfo } from "../request/request-info.js";
import { enforceDeadline } from "./enforce-deadline.js";
import { filterMetrics } from "./filter-metrics.js";
import { KeptExchange } from "./kept-exchange.test.support.js";

interface Ended {
  /** The message of the error that ends the request; undefined if it has been answered. */
  readonly error?: string;
  readonly answer: KeptExchange;
  /** The status and the body of the answer, as the audit log was told of them. */
  readonly audited: readonly unknown[];
}

/** Sends a request that its handler never answers; resolves when the filter has ended it. */
async function send(line: string): Promise<Ended> {
  const [method = "", path = ""] = line.split(" ");
  const answer = new KeptExchange(method, { accept: "application/vnd.kubernetes.protobuf" });
  const context = new RequestContext(answer as unknown as Exchange);
  context.path = path;
  context.info = resolveRequestInfo(method, path, context.query);
  context.setHeader("Strict-Transport-Security", "max-age=1");
  const audited: unknown[] = [];
  context.audit = {
    recordsResponse: true,
    responseStatus: (status: unknown) => audited.push(status),
    responseBody: (json: Buffer) => audited.push(JSON.parse(json.toString())),
  } as unknown as RequestAuditTrail;
  const metrics = filterMetrics(createMetricsRegistry({ processMetrics: false }));
  const filter = enforceDeadline(60_000, { ...metrics, timedOut() {} }, (asked) =>
    asked.startsWith("/apis/elsewhere/"),
  );
  try {
    await filter(context, () => {
      context.setHeader("X-Kubernetes-Pf-Flowschema-Uid", "1");
      context.warn("too late");
      return new Promise(() => {});
    });
    return { answer, audited };
  } catch (error) {
    return { error: (error as Error).message, answer, audited };
  }
}

/** Asserts that a request was answered with what v1.29 answers when the time of a request is over. */
function assertOutOfTime({ error, answer, audited }: Ended): void {
  assert.equal(error, undefined);
  assert.equal(answer.status, 504);
  assert.equal(
    answer.body,
    '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout",' +
      '"reason":"Timeout","details":{},"code":504}\n',
  );
  assert.equal(fieldValue(answer.fields, "Content-Type"), "text/plain; charset=utf-8");
  assert.equal(fieldValue(answer.fields, "Strict-Transport-Security"), "max-age=1");
  assert.equal(fieldValue(answer.fields, "X-Kubernetes-Pf-Flowschema-Uid"), undefined);
  assert.equal(fieldValue(answer.fields, "Warning"), undefined);
  const status = { kind: "Status", apiVersion: "v1", ...JSON.parse(answer.body) };
  assert.deepEqual(audited, [status, status]);
}

function mockTime(t: TestContext): void {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.after(() => mock.timers.reset());
}

test("a write that this server answers ends after 34 s, and a read after --request-timeout", async (t) => {
  mockTime(t);
  const read = send("GET /api/v1/pods");
  const write = send("POST /api/v1/namespaces/x/pods");
  mock.timers.tick(34_000);
  const { error } = await write;
  assert.equal(error, "Timeout: request did not complete within requested timeout - context deadline exceeded");
  mock.timers.tick(26_000);
  assertOutOfTime(await read);
});

test("a write that another server answers may take all of --request-timeout", async (t) => {
  mockTime(t);
  let ended: Ended | undefined;
  const write = send("POST /apis/elsewhere/v1/namespaces/x/things").then((how) => {
    ended = how;
    return how;
  });
  mock.timers.tick(59_999);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(ended, undefined);
  mock.timers.tick(1);
  assertOutOfTime(await write);
});
