import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type LogFields, type Logger, silentLogger } from "@gatehouse/component-base";
import { openAuditLog } from "../log/audit-log.js";
import { auditEvent, eventList, sinkConfig, type TestSink, testFolder, testSink, until } from "../sink.test.support.js";
import { SequenceTracker } from "./sequence-tracker.js";

test("gaps are what lies between numbers that have come, whatever their order", () => {
  const tracker = new SequenceTracker(10);
  const gaps = () => tracker.gaps.map(({ first, last }) => `${first}-${last}`);
  tracker.received(10, 5, 0);
  assert.deepEqual([tracker.next, gaps()], [15, []]);
  tracker.received(20, 5, 1);
  tracker.received(40, 1, 2);
  assert.deepEqual([tracker.next, gaps()], [41, ["15-19", "25-39"]]);
  tracker.received(30, 3, 3);
  tracker.received(12, 5, 3);
  assert.deepEqual(gaps(), ["17-19", "25-29", "33-39"]);
  tracker.received(5, 100, 4);
  assert.deepEqual([tracker.next, gaps()], [105, []]);
});

test("a gap is reported once, when it is old enough, and what comes after that as filled", () => {
  const tracker = new SequenceTracker(0);
  tracker.received(10, 1, 1000);
  assert.deepEqual(tracker.report(500, 1400), []);
  tracker.received(3, 2, 1450);
  assert.deepEqual(
    tracker.report(500, 1500).map(({ first, last }) => [first, last]),
    [
      [0, 2],
      [5, 9],
    ],
  );
  assert.deepEqual(tracker.report(500, 9999), []);
  assert.deepEqual(tracker.received(4, 3, 2000), [{ first: 5, last: 6 }]);
});

test("of very many gaps, the oldest are only counted", () => {
  const tracker = new SequenceTracker(0);
  for (let n = 0; n < 3000; n++) {
    tracker.received(n * 3 + 2, 1, n);
  }
  assert.deepEqual([tracker.gaps.length, tracker.missing], [1000, 6000]);
});

const folder = await testFolder();
const numbered = (sink: TestSink, source: string, sequence: number, numbers: readonly number[]) =>
  sink.post(eventList(numbers.map((n) => auditEvent(n))), {
    headers: { "gatehouse-audit-source": source, "gatehouse-audit-sequence": String(sequence) },
  });

test("missing numbers are told in the log, in metrics and as an event; and so is that they have come", async () => {
  const lines: string[] = [];
  const note = (message: string, fields?: LogFields): void => void lines.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { ...silentLogger, info: note, warn: note };
  const config = await sinkConfig(folder, { completeness: { gapAfter: "0s" } });
  {
    await using sink = await testSink(folder, config, logger);
    await numbered(sink, "server-1", 0, [0, 1]);
    await numbered(sink, "server-1", 5, [5]);
    await numbered(sink, "server-2", 7, [7]);
    await until(() => lines.some((line) => line.startsWith("events of a source are missing")));
    const metrics = (await sink.get("/metrics")).body;
    assert.match(metrics, /^gatehouse_audit_sink_missing_events\{sender="anyone"\} 3$/m);
    assert.match(metrics, /^gatehouse_audit_sink_missing_events_reported_total\{sender="anyone"\} 3$/m);
  }
  // What is known of sources outlives a restart.
  await using again = await testSink(folder, config, logger);
  await numbered(again, "server-1", 6, [6]);
  await numbered(again, "server-1", 2, [2, 3]);
  await until(() => lines.some((line) => line.startsWith("events of a source that were missing have come")));
  assert.deepEqual(
    lines.filter((line) => line.startsWith("events of a source")),
    [
      'events of a source are missing {"sender":"anyone","source":"server-1","first":2,"last":4}',
      'events of a source that were missing have come {"sender":"anyone","source":"server-1","first":2,"last":3}',
    ],
  );
  await again[Symbol.asyncDispose]();
  const own: unknown[] = [];
  await using log = await openAuditLog({ directory: config.log.directory, segmentBytes: 1e6 });
  const stop = new AbortController();
  for await (const batch of log.readFrom(0, stop.signal)) {
    if (batch.sender === "system:audit-sink") {
      const {
        auditID: _,
        requestReceivedTimestamp: __,
        stageTimestamp: ___,
        ...rest
      } = JSON.parse(String(batch.events[0]?.bytes));
      own.push(rest);
    }
    if (batch.position + batch.events.length >= log.endPosition) {
      stop.abort();
    }
  }
  const event = (verb: string, first: string, last: string) => ({
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    stage: "ResponseComplete",
    requestURI: `/audit/${verb}`,
    verb,
    user: { username: "system:audit-sink" },
    annotations: {
      "audit.gatehouse.dev/sender": "anyone",
      "audit.gatehouse.dev/source": "server-1",
      "audit.gatehouse.dev/first": first,
      "audit.gatehouse.dev/last": last,
    },
  });
  assert.deepEqual(own, [event("gap", "2", "4"), event("gap-filled", "2", "3")]);
});

test("batches that hold known events count with all their numbers, also when the log is read again", async () => {
  const config = await sinkConfig(folder, {
    completeness: { gapAfter: "0s" },
    log: { directory: await mkdtemp(join(folder.path, "log-")) },
  });
  for (let round = 0; round < 2; round++) {
    await using sink = await testSink(folder, config);
    await numbered(sink, "a", 0, [0, 1, 2]);
    await numbered(sink, "a", 2, [2, 3, 3]);
    await numbered(sink, "a", 5, [4]);
    assert.doesNotMatch((await sink.get("/metrics")).body, /missing_events\{sender="anyone"\} [1-9]/);
  }
});
