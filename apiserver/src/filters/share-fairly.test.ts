import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldValue } from "@gatehouse/component-base/http2";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import { bootstrapPriorityLevel, compileFlowSchema, FlowControl, readPriorityLevel } from "../flow-control/index.js";
import { bootstrapFlowSchema, everybody, everyPath, everyResource } from "../flow-control/mandatory-objects.js";
import type { Exchange } from "../request/exchange.js";
import { RequestContext } from "../request/request-context.js";
import { resolveRequestInfo } from "../request/request-info.js";
import { KeptExchange } from "./kept-exchange.test.support.js";
import { shareFairly } from "./share-fairly.js";

function request(username: string, path = "/api/v1/pods"): { context: RequestContext; exchange: KeptExchange } {
  const exchange = new KeptExchange();
  const context = new RequestContext(exchange as unknown as Exchange);
  const [where = "", query = ""] = path.split("?");
  context.query = new URLSearchParams(query);
  context.info = resolveRequestInfo("GET", where, context.query);
  context.user = { username, groups: username === "admin" ? ["system:masters"] : ["system:authenticated"] };
  return { context, exchange };
}

type Response = "Reject" | "Queue";

/** Opens flow control with one seat for everybody, and requests that are held until they are told to end. */
function open(response: Response, maxWaitMs = 60_000) {
  const registry = createMetricsRegistry({ processMetrics: false });
  const control = new FlowControl({
    limits: { fairness: true, maxReadOnly: 1, maxMutating: 0 },
    registry,
    maxWaitMs,
    hasStreamingLists: false,
    countObjects: () => undefined,
  });
  const queuing = response === "Queue" ? { queuing: { queues: 1, handSize: 1, queueLengthLimit: 1 } } : {};
  const level = readPriorityLevel({
    ...bootstrapPriorityLevel("one", {
      type: "Limited",
      limited: { nominalConcurrencyShares: 10_000, limitResponse: { type: response, ...queuing } },
    }),
    metadata: { name: "one", uid: "level-uid" },
  });
  const schema = compileFlowSchema({
    ...bootstrapFlowSchema("all", {
      priorityLevelConfiguration: { name: "one" },
      rules: [{ subjects: [...everybody], resourceRules: [everyResource], nonResourceRules: [everyPath] }],
    }),
    metadata: { name: "all", uid: "schema-uid" },
  });
  assert.ok(level);
  control.configure([level], [schema]);
  const turnedAway: RequestContext[] = [];
  const filter = shareFairly(control, { turnedAway: (context) => turnedAway.push(context) });
  const ends: (() => void)[] = [];
  const hold = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
  return { control, registry, filter, turnedAway, ends, hold };
}

test("a request for which there is a seat is handled at once, and its answer names level and schema by UID", () => {
  using flow = disposing(open("Queue"));
  const { context } = request("a");
  let handled = 0;
  const outcome = flow.filter(context, () => {
    handled++;
  });
  assert.equal(outcome, undefined);
  assert.equal(handled, 1);
  assert.deepEqual(context.fields, [
    ...["X-Kubernetes-Pf-Flowschema-Uid", "schema-uid"],
    ...["X-Kubernetes-Pf-Prioritylevel-Uid", "level-uid"],
  ]);
});

test("a request without a seat is answered 429, with the text of v1.29 and the time to wait", async () => {
  using flow = disposing(open("Reject"));
  const first = flow.filter(request("a").context, flow.hold);
  const { context, exchange } = request("a");
  await flow.filter(context, () => assert.fail("it has no seat"));
  assert.equal(exchange.status, 429);
  assert.equal(exchange.body, "Too many requests, please try again later.\n");
  assert.equal(fieldValue(exchange.fields, "Retry-After"), "1");
  assert.equal(fieldValue(exchange.fields, "X-Kubernetes-Pf-Prioritylevel-Uid"), "level-uid");
  assert.deepEqual(flow.turnedAway, [context]);
  flow.ends[0]?.();
  await first;
  assert.equal(
    flow.filter(request("a").context, () => {}),
    undefined,
  );
});

test("a request waits for a seat, one more than the queue holds is rejected, and exempt ones never wait", async () => {
  using flow = disposing(open("Queue"));
  const first = flow.filter(request("a").context, flow.hold);
  const second = flow.filter(request("a").context, flow.hold);
  const { context, exchange } = request("a");
  await flow.filter(context, () => assert.fail("the queue is full"));
  assert.equal(exchange.status, 429);
  let handled = 0;
  await flow.filter(request("admin").context, () => {
    handled++;
  });
  assert.equal(handled, 1);
  assert.equal(flow.ends.length, 1);
  flow.ends[0]?.();
  await first;
  await Promise.resolve();
  assert.equal(flow.ends.length, 2);
  flow.ends[1]?.();
  await second;
  assert.ok([...flow.control.levels.levels.values()].every(({ queues }) => queues.isIdle));
});

test("a request that has waited too long is answered 429", async () => {
  using flow = disposing(open("Queue", 0));
  const first = flow.filter(request("a").context, flow.hold);
  const { context, exchange } = request("a");
  await flow.filter(context, () => assert.fail("it has waited too long"));
  assert.equal(exchange.status, 429);
  assert.match(await flow.registry.render(), /rejected_requests_total\{.*reason="time-out"\} 1/);
  flow.ends[0]?.();
  await first;
});

test("a client that goes away leaves the queue", async () => {
  using flow = disposing(open("Queue"));
  const first = flow.filter(request("a").context, flow.hold);
  const { context, exchange } = request("a");
  const second = flow.filter(context, () => assert.fail("nobody waits for it"));
  exchange.close();
  await second;
  assert.equal(flow.control.levels.levels.get("one")?.queues.waiting, 0);
  flow.ends[0]?.();
  await first;
});

test("a request that throws gives its seat back", async () => {
  using flow = disposing(open("Reject"));
  const fault = new Error("a fault");
  assert.throws(
    () =>
      flow.filter(request("a").context, () => {
        throw fault;
      }),
    fault,
  );
  await assert.rejects(async () => flow.filter(request("a").context, () => Promise.reject(fault)), fault);
  assert.equal(flow.control.levels.levels.get("one")?.queues.isIdle, true);
});

test("a watch keeps its seat until it has begun, and counts as a watcher until it ends", async () => {
  using flow = disposing(open("Reject"));
  const { context } = request("a", "/api/v1/pods?watch=1");
  const watching = flow.filter(context, flow.hold);
  assert.equal(flow.control.levels.levels.get("one")?.queues.executing, 1);
  context.onWatchBegun?.();
  assert.equal(flow.control.levels.levels.get("one")?.queues.executing, 0);
  const creation = resolveRequestInfo("POST", "/api/v1/namespaces/x/pods", new URLSearchParams());
  assert.equal(flow.control.watches.interestedIn(creation), 1);
  flow.ends[0]?.();
  await watching;
  assert.equal(flow.control.watches.interestedIn(creation), 0);
});

test("other long-running requests take no seat", async () => {
  using flow = disposing(open("Reject"));
  const first = flow.filter(request("a").context, flow.hold);
  let handled = 0;
  await flow.filter(request("a", "/api/v1/namespaces/x/pods/y/log").context, () => {
    handled++;
  });
  assert.equal(handled, 1);
  flow.ends[0]?.();
  await first;
});

function disposing<T extends { readonly control: FlowControl }>(opened: T): T & Disposable {
  return { ...opened, [Symbol.dispose]: () => opened.control[Symbol.dispose]() };
}
