import assert from "node:assert/strict";
import { test } from "node:test";
import { type Conversion, convert as convertObject } from "@gatehouse/apiserver/conversion";
import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import fc from "fast-check";
import { builtinResources } from "./builtin-resources.js";

const core = { group: "", version: "v1" };
const events = { group: "events.k8s.io", version: "v1" };
const hpaV1 = { group: "autoscaling", version: "v1" };
const hpaV2 = { group: "autoscaling", version: "v2" };
const flowV1 = { group: "flowcontrol.apiserver.k8s.io", version: "v1" };
const flowBeta3 = { group: "flowcontrol.apiserver.k8s.io", version: "v1beta3" };

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** Converts an object by the definition of whichever version is not stored as it is served. */
function convert(object: JsonObject, from: GroupVersion, to: GroupVersion): JsonObject {
  const between = (served: GroupVersion, stored: GroupVersion): Conversion | undefined =>
    builtinResources.find(
      (item) =>
        item.kind === object["kind"] &&
        apiVersionOf(item) === apiVersionOf(served) &&
        item.storage !== undefined &&
        apiVersionOf(item.storage) === apiVersionOf(stored),
    )?.conversion;
  const members = between(from, to)?.toStored ?? between(to, from)?.fromStored;
  assert.ok(members !== undefined);
  return convertObject(object, apiVersionOf(to), members);
}

test("an event of the newer API is stored under the older names", () => {
  const event = {
    kind: "Event",
    apiVersion: "events.k8s.io/v1",
    metadata: { name: "e" },
    eventTime: "2024-03-01T12:00:00.000000Z",
    reportingController: "kubelet",
    reportingInstance: "n1",
    action: "Start",
    reason: "Started",
    regarding: { kind: "Pod", name: "p" },
    note: "hello",
    type: "Normal",
    deprecatedCount: 2,
  };
  assert.deepEqual(convert(event, events, core), {
    kind: "Event",
    apiVersion: "v1",
    metadata: { name: "e" },
    involvedObject: { kind: "Pod", name: "p" },
    reason: "Started",
    message: "hello",
    source: {},
    firstTimestamp: null,
    lastTimestamp: null,
    count: 2,
    type: "Normal",
    eventTime: "2024-03-01T12:00:00.000000Z",
    action: "Start",
    reportingComponent: "kubelet",
    reportingInstance: "n1",
  });
});

test("an autoscaler in v1 keeps in annotations what v1 has no members for", () => {
  const autoscaler = {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v2",
    metadata: { name: "h", annotations: { mine: "1", "autoscaling.alpha.kubernetes.io/behavior": "stale" } },
    spec: {
      scaleTargetRef: { kind: "Deployment", name: "d" },
      minReplicas: 1,
      maxReplicas: 5,
      metrics: [
        { type: "Pods", pods: { metric: { name: "q<r" }, target: { type: "AverageValue", averageValue: "10" } } },
        { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 60 } } },
      ],
      behavior: { scaleDown: { policies: [{ type: "Pods", value: 1, periodSeconds: 15 }] } },
    },
    status: {
      currentReplicas: 2,
      desiredReplicas: 3,
      currentMetrics: [
        { type: "Resource", resource: { name: "cpu", current: { averageValue: "100m", averageUtilization: 50 } } },
      ],
      conditions: [{ type: "AbleToScale", status: "True", lastTransitionTime: null }],
    },
  };
  assert.deepEqual(convert(autoscaler, hpaV2, hpaV1), {
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v1",
    metadata: {
      name: "h",
      annotations: {
        mine: "1",
        "autoscaling.alpha.kubernetes.io/metrics":
          '[{"type":"Pods","pods":{"metricName":"q\\u003cr","targetAverageValue":"10"}}]',
        "autoscaling.alpha.kubernetes.io/current-metrics":
          '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":50,"currentAverageValue":"100m"}}]',
        "autoscaling.alpha.kubernetes.io/behavior":
          '{"ScaleUp":null,"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":1,"PeriodSeconds":15}]}}',
        "autoscaling.alpha.kubernetes.io/conditions":
          '[{"type":"AbleToScale","status":"True","lastTransitionTime":null}]',
      },
    },
    spec: {
      scaleTargetRef: { kind: "Deployment", name: "d" },
      minReplicas: 1,
      maxReplicas: 5,
      targetCPUUtilizationPercentage: 60,
    },
    status: { currentReplicas: 2, desiredReplicas: 3, currentCPUUtilizationPercentage: 50 },
  });
});

function cpuUtilization(averageUtilization: number): JsonObject {
  return { type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization } } };
}

test("an autoscaler of v1 without any target aims at 80 % of the CPU", () => {
  const { spec, status } = convert({ kind: "HorizontalPodAutoscaler", spec: { maxReplicas: 3 } }, hpaV1, hpaV2);
  assert.deepEqual((spec as JsonObject)["metrics"], [cpuUtilization(80)]);
  assert.deepEqual(status, { desiredReplicas: 0, currentMetrics: null });
});

test("an autoscaler of v1 whose annotation says how to scale down only scales up as by default", () => {
  const annotations = { "autoscaling.alpha.kubernetes.io/behavior": '{"scaledown":{"SELECTPOLICY":"Min"}}' };
  const autoscaler = { kind: "HorizontalPodAutoscaler", metadata: { annotations }, spec: { maxReplicas: 3 } };
  const { spec } = convert(autoscaler, hpaV1, hpaV2);
  const behavior = (spec as JsonObject)["behavior"] as JsonObject;
  assert.deepEqual(behavior["scaleDown"], { selectPolicy: "Min" });
  assert.equal((behavior["scaleUp"] as JsonObject)["selectPolicy"], "Max");
});

test("annotations that hold nonsense are dropped", () => {
  for (const text of ["{", "1", "[1]", "null", '{"ScaleUp":3}']) {
    const annotations = {
      "autoscaling.alpha.kubernetes.io/metrics": text,
      "autoscaling.alpha.kubernetes.io/behavior": text,
      "autoscaling.alpha.kubernetes.io/current-metrics": text,
      "autoscaling.alpha.kubernetes.io/conditions": text,
    };
    const autoscaler = { kind: "HorizontalPodAutoscaler", metadata: { annotations }, spec: { maxReplicas: 1 } };
    const converted = convert(autoscaler, hpaV1, hpaV2);
    assert.deepEqual(converted["metadata"], {});
    assert.deepEqual(Object.keys(converted["spec"] as JsonObject), ["scaleTargetRef", "maxReplicas", "metrics"]);
    assert.deepEqual(converted["status"], { desiredReplicas: 0, currentMetrics: null });
  }
});

/** Values of annotations, and the metrics or the behavior that v1.29 reads in them; the default metric for none. */
const readAnnotations: readonly (readonly [name: string, annotation: string, text: string, read: JsonValue])[] = [
  [
    "amounts in other spellings, and members that are not declared",
    "metrics",
    '[{"type":"Pods","x":1,"pods":{"metricName":"q","targetAverageValue":1.5,"selector":{"matchLabels":{"a":"b"},"z":1}}}]',
    [
      {
        type: "Pods",
        pods: {
          metric: { name: "q", selector: { matchLabels: { a: "b" } } },
          target: { type: "AverageValue", averageValue: "1500m" },
        },
      },
    ],
  ],
  [
    "names in other cases",
    "metrics",
    '[{"Type":"Resource","RESOURCE":{"name":"memory","targetaverageutilization":7}}]',
    [
      {
        type: "Resource",
        resource: { name: "memory", target: { type: "Utilization", averageUtilization: 7 } },
      },
    ],
  ],
  ["an amount that is none", "metrics", '[{"type":"Pods","pods":{"metricName":"q","targetAverageValue":"abc"}}]', null],
  [
    "a share in quotes",
    "metrics",
    '[{"type":"Resource","resource":{"name":"memory","targetAverageUtilization":"7"}}]',
    null,
  ],
  [
    "rules without a window",
    "behavior",
    '{"scaleUP":{"policies":[{"TYPE":"Pods","value":4,"periodseconds":15}]}}',
    {
      scaleUp: {
        stabilizationWindowSeconds: 0,
        selectPolicy: "Max",
        policies: [{ type: "Pods", value: 4, periodSeconds: 15 }],
      },
      scaleDown: { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] },
    },
  ],
  ["rules with a window in quotes", "behavior", '{"ScaleUp":{"StabilizationWindowSeconds":"7"}}', null],
];

for (const [name, annotation, text, read] of readAnnotations) {
  test(`${name} in an annotation of an autoscaler of v1 are read as Go reads them`, () => {
    const annotations = { [`autoscaling.alpha.kubernetes.io/${annotation}`]: text };
    const autoscaler = { kind: "HorizontalPodAutoscaler", metadata: { annotations }, spec: { maxReplicas: 3 } };
    const { spec } = convert(autoscaler, hpaV1, hpaV2);
    const none = annotation === "behavior" ? undefined : [cpuUtilization(80)];
    assert.deepEqual((spec as JsonObject)[annotation], read ?? none);
  });
}

test("a share of zero is marked in v1beta3, and the mark is gone in v1", () => {
  const level = (nominalConcurrencyShares: number): JsonObject => ({
    kind: "PriorityLevelConfiguration",
    apiVersion: "flowcontrol.apiserver.k8s.io/v1",
    metadata: { name: "l" },
    spec: { type: "Limited", limited: { nominalConcurrencyShares } },
  });
  const marked = convert(level(0), flowV1, flowBeta3);
  assert.deepEqual(marked["metadata"], {
    name: "l",
    annotations: { "flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares": "" },
  });
  assert.deepEqual(convert(marked, flowBeta3, flowV1), level(0));
  assert.deepEqual(convert(level(7), flowV1, flowBeta3)["metadata"], { name: "l" });
});

test("there is a conversion between the version stored and every version served", () => {
  for (const { group, version, kind, storage } of builtinResources) {
    if (storage !== undefined && (storage.group !== group || storage.version !== version)) {
      const served = { group, version };
      const object = convert(convert({ kind, metadata: {} }, served, storage), storage, served);
      assert.equal(object["kind"], kind);
    }
  }
});

const name = fc.stringMatching(/^[a-z]{1,5}$/);
const text = fc.string({ maxLength: 10 });
const time = fc.constantFrom<JsonValue>(null, "2024-03-01T12:00:00Z");
const microTime = fc.constantFrom<JsonValue>(null, "2024-03-01T12:00:00.123456Z");
const quantity = fc.constantFrom("10", "100m", "5Gi", "0");
const whole = fc.integer({ min: 1, max: 100 });

/** Returns an arbitrary record whose members may be left out, but are never undefined. */
function optional<T>(members: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.record(members, { requiredKeys: [] });
}

const reference = optional({ kind: name, namespace: name, name, fieldPath: text.filter((value) => value !== "") });
const metadata = fc.record({ name });
const nonEmpty = text.filter((value) => value !== "");

const coreEvent = fc
  .tuple(
    fc.record({
      metadata,
      involvedObject: reference,
      source: optional({ component: name, host: name }),
      firstTimestamp: time,
      lastTimestamp: time,
      eventTime: microTime,
      reportingComponent: text,
      reportingInstance: text,
    }),
    optional({
      reason: name,
      message: nonEmpty,
      count: whole,
      type: name,
      action: name,
      related: reference,
      series: fc.record({ count: whole, lastObservedTime: microTime }),
    }),
  )
  .map(([required, rest]) => ({ kind: "Event", apiVersion: "v1", ...required, ...rest }));

test("an event is the same after a trip through the newer API", () => {
  fc.assert(
    fc.property(coreEvent, (event) => {
      const plain = JSON.parse(JSON.stringify(event)) as JsonObject;
      assert.deepEqual(convert(convert(plain, core, events), events, core), plain);
    }),
  );
});

const selector = fc.record({ matchLabels: fc.dictionary(name, name, { minKeys: 1, maxKeys: 2 }) });
const metric = fc
  .tuple(fc.record({ name: text }), optional({ selector }))
  .map(([required, rest]) => ({ ...required, ...rest }));
const averageTarget = fc.record({ type: fc.constant("AverageValue"), averageValue: quantity });
const valueTarget = fc.record({ type: fc.constant("Value"), value: quantity });

const target = fc.record({ kind: name, name, apiVersion: fc.constantFrom("v1", "apps/v1") });

const metricSpec: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    type: fc.constant("Object"),
    object: fc.record({ describedObject: target, target: valueTarget, metric }),
  }),
  fc.record({ type: fc.constant("Pods"), pods: fc.record({ metric, target: averageTarget }) }),
  fc.record({
    type: fc.constant("Resource"),
    resource: fc.record({ name: fc.constantFrom("memory", "cpu"), target: averageTarget }),
  }),
  fc.record({
    type: fc.constant("ContainerResource"),
    containerResource: fc.record({
      name,
      container: name,
      target: fc.oneof(averageTarget, fc.record({ type: fc.constant("Utilization"), averageUtilization: whole })),
    }),
  }),
  fc.record({
    type: fc.constant("External"),
    external: fc.record({ metric, target: fc.oneof(averageTarget, valueTarget) }),
  }),
);

const cpuTarget: fc.Arbitrary<JsonObject> = whole.map((averageUtilization) => ({
  type: "Resource",
  resource: { name: "cpu", target: { type: "Utilization", averageUtilization } },
}));

const metricStatus: fc.Arbitrary<JsonObject> = fc.oneof(
  fc.record({
    type: fc.constant("Object"),
    object: fc.record({ metric, current: fc.record({ value: quantity }), describedObject: target }),
  }),
  fc.record({ type: fc.constant("Pods"), pods: fc.record({ metric, current: fc.record({ averageValue: quantity }) }) }),
  fc.record({
    type: fc.constant("Resource"),
    resource: fc.record({
      name: fc.constantFrom("memory", "cpu"),
      current: fc.record({ averageValue: quantity, averageUtilization: whole }),
    }),
  }),
  fc.record({
    type: fc.constant("External"),
    external: fc.record({ metric, current: fc.record({ value: quantity, averageValue: quantity }) }),
  }),
);

/** Rules as they are stored: with their defaults. */
const scaleDown = fc.record({
  selectPolicy: fc.constantFrom("Max", "Min", "Disabled"),
  policies: fc.array(fc.record({ type: fc.constantFrom("Pods", "Percent"), value: whole, periodSeconds: whole }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const scaleUp = fc
  .tuple(fc.nat({ max: 100 }), scaleDown)
  .map(([stabilizationWindowSeconds, others]) => ({ stabilizationWindowSeconds, ...others }));
const behavior = fc.record({ scaleUp, scaleDown });
const conditions = fc.array(
  fc.record({ type: name, status: fc.constantFrom("True", "False"), lastTransitionTime: time }),
  {
    minLength: 1,
    maxLength: 2,
  },
);

const autoscaler = fc
  .record({
    metadata,
    // The CPU target comes last: v1 knows it apart from the others, and so their order is lost.
    metrics: fc.tuple(fc.array(metricSpec, { maxLength: 3 }), cpuTarget).map(([others, cpu]) => [...others, cpu]),
    spec: optional({ minReplicas: whole, behavior }),
    maxReplicas: whole,
    statuses: fc.array(metricStatus, { minLength: 1, maxLength: 3 }),
    status: optional({ currentReplicas: whole, observedGeneration: whole, conditions }),
    desiredReplicas: fc.nat({ max: 9 }),
    scaleTargetRef: target,
  })
  .map((parts) => ({
    kind: "HorizontalPodAutoscaler",
    apiVersion: "autoscaling/v2",
    metadata: parts.metadata,
    spec: {
      scaleTargetRef: parts.scaleTargetRef,
      maxReplicas: parts.maxReplicas,
      metrics: parts.metrics,
      ...parts.spec,
    },
    status: { desiredReplicas: parts.desiredReplicas, currentMetrics: parts.statuses, ...parts.status },
  }));

test("an autoscaler is the same after a trip through v1", () => {
  fc.assert(
    fc.property(autoscaler, (object) => {
      const plain = JSON.parse(JSON.stringify(object)) as JsonObject;
      assert.deepEqual(convert(convert(plain, hpaV2, hpaV1), hpaV1, hpaV2), plain);
    }),
  );
});
