import assert from "node:assert/strict";
import { test } from "node:test";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { FlowControlMetrics, InflightCounts } from "../flow-control/index.js";
import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { resolveRequestInfo } from "../request/request-info.js";
import { limitInflight } from "./limit-inflight.js";

/** Opens a filter with these limits, and counts its 429s. */
function open(maxReadOnly: number, maxMutating: number) {
  const registry = createMetricsRegistry({ processMetrics: false });
  const counts = new InflightCounts(registry, new FlowControlMetrics(registry).readWriteRatio());
  let turnedAway = 0;
  const filter = limitInflight({ fairness: false, maxReadOnly, maxMutating }, counts, {
    turnedAway: () => {
      turnedAway++;
    },
  });
  const codes: number[] = [];
  const send = (line: string, next: Handler, groups: readonly string[] = []) => {
    const [method = "", path = ""] = line.split(" ");
    const exchange = { status: 0, isClosed: false, send: (code: number) => codes.push(code), connection: {} };
    const context = {
      exchange,
      info: resolveRequestInfo(method, path, new URLSearchParams()),
      user: { username: "a", groups },
      setHeader() {},
      fields: [],
      header() {},
    } as unknown as RequestContext;
    return filter(context, next);
  };
  return { registry, send, codes, turnedAway: () => turnedAway };
}

test("reads and writes have a limit each, and system:masters are always answered", async () => {
  const { registry, send, codes, turnedAway } = open(1, 1);
  const ends: (() => void)[] = [];
  const hold = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  const read = send("GET /api/v1/pods", hold);
  await send("GET /api/v1/pods", () => assert.fail("one read is under way"));
  assert.deepEqual(codes, [429]);
  const write = send("POST /api/v1/namespaces/x/pods", hold);
  await send("DELETE /api/v1/namespaces/x/pods/y", () => assert.fail("one write is under way"));
  assert.deepEqual(codes, [429, 429]);
  assert.equal(turnedAway(), 2);
  assert.equal(ends.length, 2);
  const administrator = send("GET /api/v1/pods", hold, ["system:masters"]);
  assert.equal(ends.length, 3);
  assert.match(await registry.render(), /apiserver_current_inflight_requests\{request_kind="readOnly"\} 1\n/);
  for (const end of ends) {
    end();
  }
  await Promise.all([read, write, administrator]);
  assert.equal(
    send("GET /api/v1/pods", () => {}),
    undefined,
  );
});

test("a limit of 0 is none, and a request that throws is no longer under way", async () => {
  const { send, codes } = open(0, 1);
  const never = (): Promise<void> => new Promise(() => {});
  void send("GET /api/v1/pods", never);
  void send("GET /api/v1/pods", never);
  const fault = new Error("a fault");
  const failing = (): never => {
    throw fault;
  };
  assert.throws(() => send("POST /api/v1/namespaces/x/pods", failing), fault);
  await assert.rejects(async () => send("POST /api/v1/namespaces/x/pods", () => Promise.reject(fault)), fault);
  assert.equal(
    send("POST /api/v1/namespaces/x/pods", () => {}),
    undefined,
  );
  assert.deepEqual(codes, []);
});

test("counts are sound until an end is counted without its beginning", () => {
  const registry = createMetricsRegistry({ processMetrics: false });
  const counts = new InflightCounts(registry, new FlowControlMetrics(registry).readWriteRatio());
  counts.change("executing", "mutating", 1, 0);
  counts.change("executing", "mutating", -1, 1);
  assert.equal(counts.isSound, true);
  counts.change("executing", "mutating", -1, 2);
  assert.equal(counts.isSound, false);
});
