import assert from "node:assert/strict";
import { test } from "node:test";
import type { AwaitedLayer } from "../request/audit-trail.js";
import type { RequestContext } from "../request/request-context.js";
import { measureLayer, StreamLatency } from "./answer-latency.js";

function contextWithAudit() {
  const told: [layer: AwaitedLayer, ms: number][] = [];
  const audit = { waitedFor: (layer: AwaitedLayer, ms: number) => void told.push([layer, ms]) };
  return { told, context: { audit } as unknown as RequestContext };
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("work on an answer is measured, whether it ends at once or later, well or not", async () => {
  const { told, context } = contextWithAudit();
  assert.equal(
    measureLayer(context, "serialize-response-object", () => 1),
    1,
  );
  await measureLayer(context, "transform-response-object", () => pause(20));
  await assert.rejects(measureLayer(context, "transform-response-object", () => Promise.reject(new Error("no"))));
  assert.deepEqual(
    told.map(([layer]) => layer),
    ["serialize-response-object", "transform-response-object", "transform-response-object"],
  );
  assert.ok((told[1]?.[1] ?? 0) >= 19);
});

test("an answer in pieces tells once how long it took, and how long its client did", async () => {
  const { told, context } = contextWithAudit();
  const latency = new StreamLatency(context);
  await pause(20);
  await latency.writing(pause(20));
  latency.tell();
  latency.tell();
  const [serialize, write, ...more] = told;
  assert.deepEqual([serialize?.[0], write?.[0], more.length], ["serialize-response-object", "response-write", 0]);
  assert.ok((write?.[1] ?? 0) >= 19);
  assert.ok((serialize?.[1] ?? 0) >= (write?.[1] ?? 0) + 19);
});

test("where nothing is recorded nothing is measured", () => {
  const context = { audit: undefined } as RequestContext;
  assert.equal(
    measureLayer(context, "etcd", () => 2),
    2,
  );
  new StreamLatency(context).tell();
});
