import assert from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { openTestControlPlane, type TestControlPlane } from "../control-plane.test.support.js";
import { EventRecorder } from "./event-recorder.js";

const start = Date.parse("2024-05-01T10:00:00.123Z");
const node = { kind: "Node", apiVersion: "v1" };
const report = { reason: "Odd", action: "Looking", note: "something is odd" };

interface Given extends AsyncDisposable {
  readonly plane: TestControlPlane;
  readonly recorder: EventRecorder;
  now: number;
  events(): Promise<readonly JsonObject[]>;
}

async function open(): Promise<Given> {
  const plane = await openTestControlPlane();
  await plane.makeNamespace("default");
  const { client } = plane;
  const onError = (error: unknown): void => void plane.errors.push(error);
  const given: Given = {
    plane,
    now: start,
    recorder: new EventRecorder({ client, controller: "test-controller", now: () => given.now, onError }),
    async events() {
      const found = await client.list({ group: "events.k8s.io", version: "v1", resource: "events" }, "default");
      const names = found.map(({ name }) => name);
      const objects = await Promise.all(
        names.map((name) => client.get({ group: "events.k8s.io", version: "v1", resource: "events" }, "default", name)),
      );
      return objects.filter((object) => object !== undefined);
    },
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
  return given;
}

function named(name: string, resourceVersion = "7"): JsonObject {
  return { metadata: { name, uid: `uid-of-${name}`, resourceVersion } };
}

test("a warning is an event about its object, in the form of events.k8s.io", async () => {
  await using given = await open();
  await given.recorder.warn(named("n"), node, report);
  const [event = {}] = await given.events();
  const { metadata: _metadata, ...rest } = event;
  assert.deepEqual(metaOf(event).name, `n.${(BigInt(start) * 1_000_000n).toString(16)}`);
  assert.deepEqual(
    { ...rest },
    {
      kind: "Event",
      apiVersion: "events.k8s.io/v1",
      eventTime: "2024-05-01T10:00:00.123000Z",
      reportingController: "test-controller",
      reportingInstance: `test-controller-${hostname()}`,
      action: "Looking",
      reason: "Odd",
      regarding: { kind: "Node", apiVersion: "v1", name: "n", uid: "uid-of-n", resourceVersion: "7" },
      note: "something is odd",
      type: "Warning",
      deprecatedSource: {},
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
    },
  );
  assert.deepEqual(given.plane.errors, []);
});

test("a repeated warning becomes a series, and a new event when the object has changed or much time has passed", async () => {
  await using given = await open();
  await given.recorder.warn(named("n"), node, report);
  given.now += 1000;
  await given.recorder.warn(named("n"), node, report);
  given.now += 1000;
  await given.recorder.warn(named("n"), node, report);
  const series = async () => (await given.events()).map((event) => event["series"]);
  assert.deepEqual(await series(), [{ count: 3, lastObservedTime: "2024-05-01T10:00:02.123000Z" }]);
  await given.recorder.warn(named("n", "8"), node, report);
  assert.equal((await given.events()).length, 2);
  given.now += 6 * 60_000;
  await given.recorder.warn(named("n", "8"), node, report);
  assert.equal((await given.events()).length, 3);
});

test("an object whose name is no part of a name of an event has one all the same", async () => {
  await using given = await open();
  await given.recorder.warn(named("fd00::1"), node, report);
  assert.equal((await given.events()).length, 1);
  assert.deepEqual(given.plane.errors, []);
});

test("two warnings about an object at the same moment are two events", async () => {
  await using given = await open();
  await given.recorder.warn(named("n"), node, report);
  await given.recorder.warn(named("n"), node, { ...report, reason: "Odder" });
  const reasons = (await given.events()).map(({ reason }) => reason);
  assert.deepEqual([reasons.sort(), given.plane.errors], [["Odd", "Odder"], []]);
});

test("an event that is gone is written anew", async () => {
  await using given = await open();
  await given.recorder.warn(named("n"), node, report);
  const [event = {}] = await given.events();
  await given.plane.client.delete({ group: "events.k8s.io", resource: "events" }, "default", metaOf(event).name ?? "");
  given.now += 1000;
  await given.recorder.warn(named("n"), node, report);
  const [again = {}] = await given.events();
  assert.equal(again["series"], undefined);
});
