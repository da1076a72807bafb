import assert from "node:assert/strict";
import { test } from "node:test";
import { askPlugin, type TestWrite } from "@gatehouse/apiserver/admission/testing";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { testParts } from "../plugin.test.support.js";
import { eventRateLimit } from "./event-rate-limit.js";

const header = { apiVersion: "eventratelimit.admission.k8s.io/v1alpha1", kind: "Configuration" };

/** Asks about each Event at its time; answers with what is refused. */
async function ask(limits: readonly JsonObject[], writes: readonly (TestWrite & { readonly at?: number })[]) {
  let time = 0;
  const configuration = { ...header, limits: [...limits] };
  const plugin = await eventRateLimit(testParts({ configuration, now: () => time }));
  const answers: (string | undefined)[] = [];
  for (const { at = 0, ...write } of writes) {
    time = at;
    const { refusal } = await askPlugin(plugin, { resource: "events", kind: "Event", object: {}, ...write });
    assert.ok(refusal === undefined || refusal[0] === 429);
    answers.push(refusal?.[1]);
  }
  return answers;
}

const server = "Too many requests: limit reached on type Server for key ";

test("the server takes a burst, and then so many per second", async () => {
  const answers = await ask(
    [{ type: "Server", qps: 2, burst: 2 }],
    [{}, { operation: "UPDATE" }, {}, { at: 400 }, { at: 500 }, { at: 501, dryRun: true }, { at: 502 }],
  );
  assert.deepEqual(answers, [undefined, undefined, server, server, undefined, undefined, server]);
});

test("namespaces, users and sources have limits of their own", async () => {
  const user = (username: string) => ({ user: { username, groups: [] } });
  const about = (name: string, host = "h") => ({
    object: {
      source: { component: "c", host },
      involvedObject: { kind: "Pod", namespace: "n", name, uid: "u", apiVersion: "v1" },
    },
  });
  const one = { qps: 1, burst: 1 };
  const tooMany = "Too many requests: limit reached on type";
  assert.deepEqual(await ask([{ type: "Namespace", ...one }], [{}, { namespace: "m" }, {}]), [
    undefined,
    undefined,
    `${tooMany} Namespace for key n`,
  ]);
  assert.deepEqual(await ask([{ type: "User", ...one }], [user("a"), user("b"), user("a")]), [
    undefined,
    undefined,
    `${tooMany} User for key a`,
  ]);
  assert.deepEqual(
    await ask([{ type: "SourceAndObject", ...one }], [about("a"), about("b"), about("a", "other"), about("a")]),
    [undefined, undefined, undefined, `${tooMany} SourceAndObject for key chPodnauv1`],
  );
});

test("all limits are charged and told, also when one of them refuses", async () => {
  const limits = [
    { type: "Server", qps: 1, burst: 1 },
    { type: "Namespace", qps: 1, burst: 2 },
  ];
  const namespace = "limit reached on type Namespace for key n";
  assert.deepEqual(await ask(limits, [{}, {}, {}, { at: 1000 }]), [
    undefined,
    server,
    `Too many requests: [limit reached on type Server for key , ${namespace}]`,
    undefined,
  ]);
});

test("an evicted bucket starts full", async () => {
  const limits = [{ type: "Namespace", qps: 1, burst: 1, cacheSize: 1 }];
  assert.deepEqual(await ask(limits, [{}, { namespace: "m" }, {}]), [undefined, undefined, undefined]);
});

test("Events of events.k8s.io and other resources are not limited", async () => {
  const limits = [{ type: "Server", qps: 1, burst: 1 }];
  const other = { group: "events.k8s.io" };
  assert.deepEqual(await ask(limits, [{}, other, { resource: "pods" }]), [undefined, undefined, undefined]);
});

test("every problem of the configuration is told with its path", async () => {
  const make = (configuration?: JsonObject) => async () =>
    eventRateLimit(testParts({ ...(configuration && { configuration }) }));
  await assert.rejects(make(), { message: "EventRateLimit: limits: must not be empty: it needs a configuration" });
  await assert.rejects(make({ ...header, limits: [] }), { message: "test.yaml: limits: must not be empty" });
  const limits = [
    { type: "Other", qps: 0, burst: 1 },
    { type: "User", qps: 1, burst: -1, cacheSize: -1 },
    { type: "Server", qps: 1, burst: 1, cacheSize: -1 },
  ];
  await assert.rejects(make({ ...header, limits }), {
    message: [
      "test.yaml: 4 problems:",
      "  - limits[0].type: must be one of Server, Namespace, User, SourceAndObject",
      "  - limits[0].qps: must be positive",
      "  - limits[1].burst: must be positive",
      "  - limits[1].cacheSize: must not be negative",
    ].join("\n"),
  });
});
