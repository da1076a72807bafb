import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { type LogFields, type Logger, silentLogger } from "@gatehouse/component-base/logs";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { verifyCommand } from "../commands/verify.js";
import { openAuditLog } from "../log/audit-log.js";
import { auditEvent, eventList, sinkConfig, type TestSink, testFolder, testSink, until } from "../sink.test.support.js";
import { SequenceTracker } from "./sequence-tracker.js";
import { Sources } from "./sources.js";
import { verifyLog } from "./verify-log.js";

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

test("of very many gaps, the oldest are only counted, but not before they have been reported", () => {
  const tracker = new SequenceTracker(0);
  for (let n = 0; n < 3000; n++) {
    tracker.received(n * 3 + 2, 1, n);
  }
  assert.deepEqual([tracker.forget(), tracker.gaps.length], [0, 3000]);
  assert.equal(tracker.report(Number.POSITIVE_INFINITY, 3000).length, 2000);
  assert.deepEqual([tracker.forget(), tracker.gaps.length, tracker.missing], [2000, 1000, 6000]);
});

test("a sender that invents sources pushes out only its own, and each gap is reported before it is forgotten", () => {
  const sources = new Sources(() => 0);
  const send = (sender: string, source: string, sequence: number) => sources.received(sender, { source, sequence }, 1);
  for (const sender of ["honest", "hostile"]) {
    send(sender, "server-1", 0);
    send(sender, "server-1", 3);
  }
  for (let n = 0; n < 1500; n++) {
    send("hostile", `invented-${n}`, 0);
  }
  assert.deepEqual(sources.forget(), new Map(), "all have sent something since the last round");
  assert.deepEqual(sources.forget(), new Map([["hostile", 500]]), "the source with a gap stays");
  assert.deepEqual(sources.report(1000), {
    missing: [{ sender: "hostile", source: "server-1", first: 1, last: 2, since: 0, isReported: false }],
    filled: [],
  });
  assert.deepEqual(sources.forget(), new Map([["hostile", 1]]));
  const restored = new Sources(() => 0);
  restored.restore(sources.save());
  for (const each of [sources, restored]) {
    assert.deepEqual([...each.missingBySender()].sort(), [
      ["honest", 2],
      ["hostile", 2],
    ]);
  }
});

test("between two rounds of upkeep, a sender may name as many new sources as are remembered, and make so many gaps", () => {
  const sources = new Sources(() => 0);
  const origin = (source: string) => ({ source, sequence: 0 });
  const upkeep = () => {
    sources.report(1000);
    sources.forget();
  };
  for (let n = 0; sources.hasRoom("hostile", origin(`invented-${n}`)); n++) {
    assert.ok(n < 10_000, "there is a bound");
    sources.received("hostile", origin(`invented-${n}`), 1);
  }
  assert.ok(sources.hasRoom("hostile", origin("invented-0")), "a known source can be followed");
  assert.ok(sources.hasRoom("honest", origin("server-1")));
  upkeep();
  upkeep();
  assert.ok(sources.hasRoom("hostile", origin("another")));
  for (let n = 1; sources.hasRoom("hostile", origin("gaps")); n++) {
    assert.ok(n < 100_000, "there is a bound");
    sources.received("hostile", { source: "gaps", sequence: 2 * n }, 1);
  }
  upkeep();
  upkeep();
  assert.ok(sources.hasRoom("hostile", origin("gaps")));
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

test("a sender that invents thousands of sources hides neither another sender's gap nor its own", async () => {
  const senders = ["honest", "hostile"].map((name) => ({ name, tokenFile: `${name}.tokens` }));
  for (const { name, tokenFile } of senders) {
    await writeFile(join(folder.path, tokenFile), `token-of-${name}\n`);
  }
  const config = await sinkConfig(folder, { completeness: { gapAfter: "1000h" }, anySender: false, senders });
  {
    await using sink = await testSink(folder, config);
    const send = async (sender: string, source: string, sequence: number): Promise<void> => {
      const headers = {
        authorization: `Bearer token-of-${sender}`,
        "gatehouse-audit-source": source,
        "gatehouse-audit-sequence": String(sequence),
      };
      const body = eventList([auditEvent(sequence, { requestURI: source })]);
      // Beyond its bound, a sender is asked to come again.
      await until(async () => {
        const { status } = await sink.post(body, { headers });
        assert.ok(status === 200 || status === 429, String(status));
        return status === 200;
      });
    };
    for (const sender of ["honest", "hostile"]) {
      await send(sender, "server-1", 0);
      await send(sender, "server-1", 3);
    }
    for (let n = 0; n < 2500; n += 50) {
      await Promise.all(Array.from({ length: 50 }, (_, i) => send("hostile", `invented-${n + i}`, 0)));
    }
  }
  await using again = await testSink(folder, config);
  const metrics = (await again.get("/metrics")).body;
  assert.match(metrics, /^gatehouse_audit_sink_missing_events\{sender="honest"\} 2$/m);
  assert.match(metrics, /^gatehouse_audit_sink_missing_events\{sender="hostile"\} 2$/m);
  await again[Symbol.asyncDispose]();
  const told: unknown[] = [];
  await verifyLog(config.log.directory, {
    onBatch: ({ sender, events }) => {
      if (sender === "system:audit-sink") {
        told.push(...events.map(({ bytes }) => JSON.parse(bytes.toString()).annotations["audit.gatehouse.dev/sender"]));
      }
    },
  });
  assert.deepEqual(told, ["hostile"], "the gap that is about to be forgotten is told of, the other one can wait");
  const lines: string[] = [];
  const io = { print: (line: string) => void lines.push(line), printError: assert.fail, process: thisProcess, env: {} };
  assert.equal(await verifyCommand.run(["--log-directory", config.log.directory], io), 1);
  for (const sender of ["honest", "hostile"]) {
    assert.ok(lines.includes(`source "server-1" of sender "${sender}": numbers 1 to 2 missing`), lines.join("\n"));
  }
});
