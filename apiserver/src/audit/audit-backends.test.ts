import assert from "node:assert/strict";
import { setMaxListeners } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { AuditBackend, AuditLosses } from "./audit-backend.js";
import { auditEvent, Destination, NotedLosses } from "./backend.test.support.js";
import { BufferedBackend } from "./buffered-backend.js";
import { GroupWriter } from "./group-writer.js";
import { IgnoreErrorsBackend } from "./ignore-errors-backend.js";
import { LogBackend } from "./log-backend.js";
import { SpoolingBackend } from "./spool/spooling-backend.js";
import { TruncatingBackend } from "./truncating-backend.js";
import { UnionBackend } from "./union-backend.js";
import { WebhookBackend } from "./webhook-backend.js";
import { WebhookCaller } from "./webhook-caller.js";

const folder = await mkdtemp(join(tmpdir(), "audit-backends-"));
after(() => rm(folder, { recursive: true }));

interface Opened {
  readonly destination: Destination;
  readonly losses: NotedLosses;
  readonly giveUp: AbortController;
}

type Open = (parts: Opened) => AuditBackend | Promise<AuditBackend>;

const log = ({ destination, losses }: Opened): AuditBackend =>
  new LogBackend(new GroupWriter(destination, new AbortController().signal), ({ document }) => document, losses);

const webhook = ({ destination, losses, giveUp: { signal } }: Opened): AuditBackend =>
  new WebhookBackend(new WebhookCaller(destination, signal), { initialBackoffMs: 1, signal, losses });

const buffered = (backend: AuditBackend, losses: AuditLosses): AuditBackend =>
  new BufferedBackend(
    backend,
    { bufferSize: 10_000, maxBatchSize: 7, maxBatchWaitMs: 5, throttle: { perSecond: 1000, burst: 3 } },
    losses,
  );

let spools = 0;

const spool = ({ destination, losses, giveUp: { signal } }: Opened): Promise<AuditBackend> =>
  SpoolingBackend.open({
    directory: join(folder, `spool-${spools++}`),
    maxBytes: 1024 * 1024,
    isStrict: false,
    flushAfterMs: 1000,
    initialBackoffMs: 1,
    maxBatchSize: 7,
    maxBatchWaitMs: 5,
    throttle: { perSecond: 1000, burst: 3 },
    caller: new WebhookCaller(destination, signal),
    losses,
    report: { auditSpoolFailed() {}, auditDeliveryFailed() {}, auditDeliveryRecovered() {} },
    signal,
  });

const backends: readonly (readonly [name: string, open: Open, behaviour: { strict: boolean; keeps?: boolean }])[] = [
  ["a log", log, { strict: true }],
  ["a log that requests wait for", (parts) => new IgnoreErrorsBackend(log(parts)), { strict: false }],
  ["a log with a buffer", (parts) => buffered(log(parts), parts.losses), { strict: false }],
  ["a webhook", webhook, { strict: true }],
  ["a webhook that requests wait for", (parts) => new IgnoreErrorsBackend(webhook(parts)), { strict: false }],
  ["a webhook with a buffer", (parts) => buffered(webhook(parts), parts.losses), { strict: false }],
  ["a webhook with a spool", spool, { strict: false, keeps: true }],
  ["a union of one", (parts) => new UnionBackend([log(parts)]), { strict: true }],
  [
    "what is truncated",
    (parts) => new TruncatingBackend(log(parts), { maxEventBytes: 1e5, maxBatchBytes: 1e6 }, parts.losses),
    { strict: true },
  ],
];

async function open(opening: Open): Promise<Opened & { readonly backend: AuditBackend }> {
  const parts = { destination: new Destination(), losses: new NotedLosses(), giveUp: new AbortController() };
  setMaxListeners(0, parts.giveUp.signal);
  return { ...parts, backend: await opening(parts) };
}

const ids = Array.from({ length: 100 }, (_, index) => `event-${index}`);

for (const [name, opening, { strict, keeps = false }] of backends) {
  describe(`${name}, as an audit backend`, () => {
    test("delivers everything once, and has delivered it when it is closed", async () => {
      const { backend, destination, losses } = await open(opening);
      const outcomes = ids.map((id) => backend.process([auditEvent(id)]));
      assert.ok((await Promise.all(outcomes)).every((isRecorded) => isRecorded === true));
      await backend.close();
      assert.deepEqual([...destination.taken].sort(), [...ids].sort());
      assert.equal(losses.count, 0);
    });

    test("takes several events at once", async () => {
      const { backend, destination } = await open(opening);
      await backend.process(ids.map((id) => auditEvent(id)));
      await backend.close();
      assert.deepEqual([...destination.taken].sort(), [...ids].sort());
    });

    test("says of what it cannot deliver how much it is, and goes on", async () => {
      const { backend, destination, losses, giveUp } = await open(opening);
      destination.failures = Number.POSITIVE_INFINITY;
      const outcomes = await Promise.all(ids.map((id) => backend.process([auditEvent(id)])));
      if (keeps) {
        giveUp.abort();
      }
      assert.ok(outcomes.every((isRecorded) => isRecorded === !strict));
      await backend.close();
      assert.equal(destination.taken.length, 0);
      assert.equal(losses.count, keeps ? 0 : ids.length);
    });

    test("delivers what comes after a failure", async () => {
      const { backend, destination, losses } = await open(opening);
      destination.failures = 1;
      await backend.process([auditEvent("first")]);
      // A buffer would send both together.
      for (const end = performance.now() + 60_000; destination.failures > 0; ) {
        assert.ok(performance.now() < end, "nothing is sent");
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await backend.process([auditEvent("second")]);
      await backend.close();
      assert.ok(destination.taken.includes("second"));
      assert.equal(destination.taken.length + losses.count, 2);
    });

    test("has a name, and can be closed unused", async () => {
      const { backend } = await open(opening);
      assert.match(backend.name, /^[a-zA-Z]+[<[]?/);
      await backend.close();
    });
  });
}

describe("a webhook", () => {
  test("is called five times for the same events, whatever it answers", async () => {
    const parts = await open(webhook);
    parts.destination.failures = 4;
    parts.destination.status = 400;
    assert.equal(await parts.backend.process([auditEvent("a")]), true);
    parts.destination.failures = 5;
    assert.equal(await parts.backend.process([auditEvent("b")]), false);
    assert.deepEqual(parts.losses.noted, [
      { plugin: "webhook", count: 1, reason: "the receiver answered with HTTP 400" },
    ]);
    assert.equal(parts.destination.requests.length, 10);
  });

  test("gets an EventList of items without kind and version", async () => {
    const { backend, destination } = await open(webhook);
    await backend.process([auditEvent("a"), auditEvent("b")]);
    const [request] = destination.requests;
    assert.equal(request?.method, "POST");
    const { items, ...list } = JSON.parse(String(request?.body));
    assert.deepEqual(list, { kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {} });
    assert.deepEqual(
      items.map((item: { kind?: string; auditID: string }) => [item.kind, item.auditID]),
      [
        [undefined, "a"],
        [undefined, "b"],
      ],
    );
  });
});

describe("a buffer", () => {
  const options = { bufferSize: 3, maxBatchSize: 100, maxBatchWaitMs: 60_000, throttle: undefined };

  test("that is full drops what comes, while requests go on", async () => {
    const { backend, losses, destination } = await open(
      (parts) => new BufferedBackend(log(parts), options, parts.losses),
    );
    assert.ok(["a", "b", "c", "d", "e"].every((id) => backend.process([auditEvent(id)]) === true));
    assert.deepEqual(
      losses.noted,
      Array.from({ length: 2 }, () => ({ plugin: "buffered", count: 1, reason: "audit buffer queue blocked" })),
    );
    await backend.close();
    assert.deepEqual(destination.taken, ["a", "b", "c"]);
  });

  test("sends a batch as soon as there is one, and the rest after the wait", async () => {
    const { backend, destination } = await open(
      (parts) =>
        new BufferedBackend(
          webhook(parts),
          { ...options, bufferSize: 10, maxBatchSize: 2, maxBatchWaitMs: 20 },
          parts.losses,
        ),
    );
    for (const id of ["a", "b", "c"]) {
      void backend.process([auditEvent(id)]);
    }
    for (const end = performance.now() + 60_000; destination.taken.length < 3; ) {
      assert.ok(performance.now() < end, destination.taken.join());
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.deepEqual(
      destination.requests.map(({ body }) => JSON.parse(String(body)).items.length),
      [2, 1],
    );
    await backend.close();
  });

  test("sends no more batches than its throttle lets through", async () => {
    const throttle = { perSecond: 20, burst: 2 };
    const { backend, destination } = await open(
      (parts) =>
        new BufferedBackend(webhook(parts), { ...options, bufferSize: 10, maxBatchSize: 1, throttle }, parts.losses),
    );
    const begun = performance.now();
    for (const id of ["a", "b", "c", "d"]) {
      void backend.process([auditEvent(id)]);
    }
    await backend.close();
    assert.equal(destination.taken.length, 4);
    assert.ok(performance.now() - begun >= 95, "two of the four have waited for a token, 50 ms each");
  });
});

describe("truncation", () => {
  const body = (bytes: number): Buffer => Buffer.from(JSON.stringify({ data: "x".repeat(bytes) }));
  const opening = (parts: Opened): AuditBackend =>
    new TruncatingBackend(log(parts), { maxEventBytes: 1000, maxBatchBytes: 1500 }, parts.losses);

  test("leaves the bodies out of what is too large, and says so", () => {
    const event = auditEvent("a", {
      level: "RequestResponse",
      requestObject: body(10),
      responseObject: body(2000),
      annotations: new Map([["z", "1"]]),
    });
    const cut = JSON.parse(event.truncated().document);
    const { requestObject: _request, responseObject: _response, ...rest } = JSON.parse(event.document);
    assert.deepEqual(cut, { ...rest, annotations: { "audit.k8s.io/truncated": "true", z: "1" } });
  });

  test("drops what is too large without bodies, and keeps what comes along", async () => {
    const { backend, destination, losses } = await open(opening);
    const subject = { ...auditEvent("b").init.subject, userAgent: "x".repeat(1100) };
    await backend.process([
      auditEvent("a"),
      auditEvent("b", { subject, level: "Request" }),
      auditEvent("c", { level: "Request", requestObject: body(2000) }),
      auditEvent("d", { subject: { ...subject, auditID: "d" } }),
    ]);
    await backend.close();
    assert.deepEqual(destination.taken, ["a", "c"]);
    assert.equal(losses.count, 2);
    assert.deepEqual(losses.noted[0], {
      plugin: "truncate",
      count: 1,
      reason: "event is too large even after truncating",
    });
  });

  test("measures an event with its line end", async () => {
    const event = auditEvent("a");
    const bytes = Buffer.byteLength(event.document);
    for (const [maxEventBytes, passes] of [
      [bytes + 1, true],
      [bytes, false],
    ] as const) {
      const destination = new Destination();
      const losses = new NotedLosses();
      const inner = log({ destination, losses, giveUp: new AbortController() });
      await new TruncatingBackend(inner, { maxEventBytes, maxBatchBytes: 1e6 }, losses).process([event]);
      assert.deepEqual([destination.taken, losses.count], passes ? [["a"], 0] : [[], 1]);
    }
  });

  test("divides batches that are too large", async () => {
    const sizes: number[] = [];
    const inner: AuditBackend = {
      name: "inner",
      process: (events) => sizes.push(events.length) > 0,
      close: async () => {},
    };
    const backend = new TruncatingBackend(inner, { maxEventBytes: 1000, maxBatchBytes: 1500 }, new NotedLosses());
    void backend.process(["a", "b", "c", "d", "e"].map((id) => auditEvent(id)));
    assert.deepEqual(sizes, [3, 2]);
  });
});

test("a union records in all of its backends, and fails when one does", async () => {
  const left = new Destination();
  const right = new Destination();
  const losses = new NotedLosses();
  const giveUp = new AbortController();
  const union = new UnionBackend([
    log({ destination: left, losses, giveUp }),
    log({ destination: right, losses, giveUp }),
  ]);
  assert.equal(await union.process([auditEvent("a")]), true);
  right.failures = 1;
  assert.equal(await union.process([auditEvent("b")]), false);
  await union.close();
  assert.deepEqual([left.taken, right.taken], [["a", "b"], ["a"]]);
  assert.equal(union.name, "union[log,log]");
});
