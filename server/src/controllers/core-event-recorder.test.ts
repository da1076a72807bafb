import assert from "node:assert/strict";
import { test } from "node:test";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { openTestControlPlane, type TestControlPlane } from "../control-plane.test.support.js";
import { CoreEventRecorder } from "./core-event-recorder.js";
import { events } from "./core-resources.js";

const start = Date.parse("2024-05-01T10:00:00.123Z");
const pod = { kind: "Pod", apiVersion: "v1" };

interface Given extends AsyncDisposable {
  readonly plane: TestControlPlane;
  now: number;
  /** Reports about a pod, and waits until that is written. */
  report(name: string, message: string, times?: number): Promise<void>;
  /** Messages and counts of the events. */
  counts(): Promise<readonly string[]>;
  events(): Promise<readonly JsonObject[]>;
}

async function open(): Promise<Given> {
  const plane = await openTestControlPlane();
  await plane.makeNamespace("a");
  const { client } = plane;
  const onError = (error: unknown): void => void plane.errors.push(error);
  const recorder = new CoreEventRecorder({ client, component: "tester", now: () => given.now, onError });
  const given: Given = {
    plane,
    now: start,
    async report(name, message, times = 1) {
      const object = { metadata: { namespace: "a", name, uid: `uid-of-${name}`, resourceVersion: "7" } };
      for (let count = 0; count < times; count++) {
        recorder.report(object, pod, { type: "Warning", reason: "Odd", message });
      }
      await recorder.idle();
    },
    async events() {
      return (await client.list(events, "a")).map(({ entry }) => entry.object());
    },
    async counts() {
      const found = await given.events();
      return found.map((event) => `${textAt(event, "message")} ${String(event["count"])}`).sort();
    },
    [Symbol.asyncDispose]: () => plane[Symbol.asyncDispose](),
  };
  return given;
}

test("a report is an event of the core API, in the form of v1.29", async () => {
  await using given = await open();
  await given.report("p", "it is odd");
  const [event = {}] = await given.events();
  const { metadata, ...rest } = event;
  assert.deepEqual(textAt(metadata as JsonObject, "name"), `p.${(BigInt(start) * 1_000_000n).toString(16)}`);
  assert.deepEqual(
    { ...rest },
    {
      kind: "Event",
      apiVersion: "v1",
      involvedObject: {
        kind: "Pod",
        namespace: "a",
        name: "p",
        uid: "uid-of-p",
        apiVersion: "v1",
        resourceVersion: "7",
      },
      reason: "Odd",
      message: "it is odd",
      source: { component: "tester" },
      firstTimestamp: "2024-05-01T10:00:00Z",
      lastTimestamp: "2024-05-01T10:00:00Z",
      count: 1,
      type: "Warning",
      eventTime: null,
      reportingComponent: "tester",
      reportingInstance: "",
    },
  );
});

test("reports of the same moment are events of their own, and repetitions are counted in theirs", async () => {
  await using given = await open();
  await given.report("p", "one");
  await given.report("p", "two", 3);
  given.now += 60_000;
  await given.report("p", "one");
  assert.deepEqual(await given.counts(), ["one 2", "two 3"]);
  const found = (await given.events()).find((event) => event["message"] === "one") ?? {};
  assert.deepEqual([found["firstTimestamp"], found["lastTimestamp"]], ["2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z"]);
});

test("an event that is gone is written again with its count", async () => {
  await using given = await open();
  await given.report("p", "one", 2);
  const [before = {}] = await given.events();
  await given.plane.client.delete(events, "a", textAt(before, "metadata", "name"));
  await given.report("p", "one");
  assert.deepEqual(await given.counts(), ["one 3"]);
});

test("the tenth of many messages about one object within ten minutes and all after it share one event", async () => {
  await using given = await open();
  for (let count = 1; count <= 12; count++) {
    await given.report("p", `problem ${count}`);
  }
  await given.report("p", "problem 3");
  const expected = Array.from({ length: 9 }, (_, at) => `problem ${at + 1} ${at === 2 ? 2 : 1}`);
  assert.deepEqual(await given.counts(), ["(combined from similar events): problem 12 3", ...expected]);
  given.now += 600_001;
  await given.report("p", "problem 13");
  assert.equal((await given.counts()).includes("problem 13 1"), true);
});

test("of more than 25 reports about one object at once the others are only counted, and one every five minutes is told", async () => {
  await using given = await open();
  await given.report("p", "one", 30);
  await given.report("q", "one");
  assert.deepEqual(await given.counts(), ["one 1", "one 25"]);
  given.now += 300_000;
  await given.report("p", "one");
  assert.deepEqual(await given.counts(), ["one 1", "one 31"]);
});

test("a namespace that is gone is no error, and others are told", async () => {
  const failures: unknown[] = [];
  let problem = new Error("broken");
  const client = {
    create: () => Promise.reject(problem),
    update: () => Promise.reject(problem),
  };
  const onError = (error: unknown): void => void failures.push(error);
  const recorder = new CoreEventRecorder({ client, component: "tester", now: () => start, onError });
  const report = { type: "Warning", reason: "Odd", message: "x" } as const;
  recorder.report({ metadata: { name: "n", uid: "u" } }, pod, report);
  await recorder.idle();
  assert.deepEqual(failures, [problem]);
  await using given = await open();
  problem = (await given.plane.client
    .create(events, { kind: "Event", apiVersion: "v1", metadata: { namespace: "none", name: "e" } })
    .catch((error: unknown) => error)) as Error;
  recorder.report({ metadata: { name: "n", uid: "u" } }, pod, report);
  await recorder.idle();
  assert.equal(failures.length, 1);
});
