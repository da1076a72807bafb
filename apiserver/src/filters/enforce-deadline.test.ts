import assert from "node:assert/strict";
import { mock, type TestContext, test } from "node:test";
import { fieldValue } from "@gatehouse/component-base/http2";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { Exchange } from "../request/exchange.js";
import type { HeaderFields } from "../request/header-fields.js";
import { RequestContext } from "../request/request-context.js";
import { resolveRequestInfo } from "../request/request-info.js";
import { enforceDeadline } from "./enforce-deadline.js";
import { filterMetrics } from "./filter-metrics.js";

/** An exchange that keeps its answer. */
class KeptExchange {
  readonly method: string;
  readonly headers = { accept: "application/vnd.kubernetes.protobuf" };
  readonly isClosed = false;
  status = 0;
  fields: HeaderFields = [];
  body = "";

  constructor(method: string) {
    this.method = method;
  }

  send(status: number, fields: HeaderFields, body: Buffer): void {
    this.status = status;
    this.fields = fields;
    this.body = body.toString();
  }
}

interface Ended {
  /** The message of the error that ends the request; undefined if it has been answered. */
  readonly error?: string;
  readonly answer: KeptExchange;
}

/** Sends a request that its handler never answers; resolves when the filter has ended it. */
async function send(line: string): Promise<Ended> {
  const [method = "", path = ""] = line.split(" ");
  const answer = new KeptExchange(method);
  const context = new RequestContext(answer as unknown as Exchange);
  context.path = path;
  context.info = resolveRequestInfo(method, path, context.query);
  context.setHeader("Strict-Transport-Security", "max-age=1");
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
    return { answer };
  } catch (error) {
    return { error: (error as Error).message, answer };
  }
}

/** Asserts that a request was answered with what v1.29 answers when the time of a request is over. */
function assertOutOfTime({ error, answer }: Ended): void {
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
