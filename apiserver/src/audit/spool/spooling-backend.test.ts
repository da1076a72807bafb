import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { DirectoryInUseError } from "@gatehouse/component-base/errors";
import { holdFlushes } from "@gatehouse/testing/crash";
import { auditEvent, Destination, NotedLosses } from "../backend.test.support.js";
import { WebhookCaller } from "../webhook-caller.js";
import { SpoolingBackend, type SpoolOptions } from "./spooling-backend.js";

const folder = await mkdtemp(join(tmpdir(), "spooling-backend-"));
after(() => rm(folder, { recursive: true }));
let count = 0;

interface Spool {
  readonly backend: SpoolingBackend;
  readonly destination: Destination;
  readonly losses: NotedLosses;
  /** Reports of deliveries. */
  readonly told: string[];
  readonly giveUp: AbortController;
}

async function openSpool(
  directory: string,
  destination: Destination,
  more: Partial<SpoolOptions> = {},
): Promise<Spool> {
  const losses = new NotedLosses();
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const told: string[] = [];
  const report = {
    auditDeliveryFailed: (reason: string, tries: number) => void told.push(`${tries}: ${reason}`),
    auditSpoolFailed: (reason: string) => void told.push(reason),
    auditDeliveryRecovered: () => void told.push("recovered"),
  };
  const backend = await SpoolingBackend.open({
    directory,
    maxBytes: 1024 * 1024,
    isStrict: false,
    flushAfterMs: 0,
    initialBackoffMs: 5,
    maxBatchSize: 10,
    maxBatchWaitMs: 0,
    throttle: undefined,
    caller: new WebhookCaller(destination, signal),
    losses,
    report,
    signal,
    ...more,
  });
  return { backend, destination, losses, told, giveUp };
}

function newDirectory(): string {
  return join(folder, String(count++));
}

/** A receiver that is down. */
function deaf(): Destination {
  const destination = new Destination();
  destination.failures = Number.POSITIVE_INFINITY;
  return destination;
}

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `event-${from + index}`);

/** Returns of each request the source, the number of its first event, and its number of events. */
function sequences({ requests }: Destination): readonly (readonly [source: string, first: number, length: number])[] {
  return requests.map(({ headers, body }) => [
    headers?.["gatehouse-audit-source"] ?? "",
    Number(headers?.["gatehouse-audit-sequence"]),
    JSON.parse(String(body)).items.length,
  ]);
}

/** Asserts that each batch begins at the end of the one before. */
function assertContiguous(destination: Destination, from: number): void {
  const all = sequences(destination);
  const begins = all.map((_, index) => all.slice(0, index).reduce((next, [, , length]) => next + length, from));
  assert.deepEqual(
    all.map(([, first]) => first),
    begins,
  );
}

describe("a spool", () => {
  test("sends events in order, numbered without a gap from 1", async () => {
    const { backend, destination } = await openSpool(newDirectory(), new Destination());
    for (const id of ids(1, 95)) {
      await backend.process([auditEvent(id)]);
    }
    await backend.close();
    assert.deepEqual(destination.taken, ids(1, 95));
    assertContiguous(destination, 1);
    for (const [source] of sequences(destination)) {
      assert.match(source, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
  });

  test("keeps what nobody takes over the end of the process, and goes on with the same source and numbers", async () => {
    const directory = newDirectory();
    const before = await openSpool(directory, new Destination());
    await before.backend.process(ids(1, 5).map((id) => auditEvent(id)));
    await before.backend.close();
    const down = await openSpool(directory, deaf());
    await down.backend.process(ids(6, 30).map((id) => auditEvent(id)));
    down.giveUp.abort();
    await down.backend.close();
    const later = await openSpool(directory, new Destination());
    await later.backend.process([auditEvent("event-31")]);
    await later.backend.close();
    assert.deepEqual(later.destination.taken, ids(6, 31));
    assertContiguous(later.destination, 6);
    assert.equal(sequences(later.destination)[0]?.[0], sequences(before.destination)[0]?.[0]);
    assert.equal(down.losses.count + later.losses.count, 0);
  });

  test("has an event when it is on disk, and not before; where that is not asked for, at once", async () => {
    const { backend } = await openSpool(newDirectory(), new Destination());
    const lazy = await openSpool(newDirectory(), new Destination(), { flushAfterMs: 60_000 });
    await backend.process([auditEvent("event-1")]);
    const flushes = await holdFlushes();
    try {
      const kept = Promise.resolve(backend.process([auditEvent("event-2")]));
      assert.equal(await Promise.race([kept, flushes.first.then(() => "flushing")]), "flushing");
      assert.equal(await lazy.backend.process([auditEvent("event-1")]), true);
      flushes.release();
      assert.equal(await kept, true);
    } finally {
      flushes[Symbol.dispose]();
    }
    await backend.close();
    await lazy.backend.close();
  });

  test("is of one server at a time", async () => {
    const directory = newDirectory();
    const { backend } = await openSpool(directory, new Destination());
    await assert.rejects(
      openSpool(directory, new Destination()),
      new DirectoryInUseError(`${directory} is in use by another process`),
    );
    await backend.process([auditEvent("a")]);
    await backend.close();
    const next = await openSpool(directory, new Destination());
    await next.backend.process([auditEvent("b")]);
    await next.backend.close();
    assert.deepEqual(sequences(next.destination)[0]?.slice(1), [2, 1]);
  });

  test("takes back a line that was being written when the process ended", async () => {
    const directory = newDirectory();
    const down = await openSpool(directory, deaf());
    await down.backend.process(ids(1, 2).map((id) => auditEvent(id)));
    down.giveUp.abort();
    await down.backend.close();
    const [segment = ""] = (await readdir(directory)).filter((name) => name.endsWith(".events"));
    await appendFile(join(directory, segment), '{"auditID":"cut sho');
    const later = await openSpool(directory, new Destination());
    await later.backend.process([auditEvent("event-3")]);
    await later.backend.close();
    assert.deepEqual(later.destination.taken, ids(1, 3));
  });

  test("sends again what the receiver may have taken, under the same number", async () => {
    const directory = newDirectory();
    const destination = new Destination();
    destination.failures = 2;
    const { backend, told } = await openSpool(directory, destination);
    await backend.process([auditEvent("a")]);
    await backend.close();
    assert.deepEqual(
      told.map((line) => line.slice(0, 2)),
      ["1:", "2:", "re"],
      "and says so each time",
    );
    assert.deepEqual(
      sequences(destination).map(([, first]) => first),
      [1, 1, 1],
    );
  });

  test("that is full refuses what comes, counts it, and leaves a gap in the numbers", async () => {
    const directory = newDirectory();
    const destination = deaf();
    const { backend, losses } = await openSpool(directory, destination, { maxBytes: 20_000, flushAfterMs: 1000 });
    let refused = 0;
    for (const id of ids(1, 100)) {
      refused += (await backend.process([auditEvent(id)])) ? 0 : 1;
    }
    assert.ok(refused > 10 && refused < 90, `${refused} of 100 refused`);
    assert.equal(losses.count, refused);
    assert.deepEqual(losses.noted[0], { plugin: "spool", count: 1, reason: "the audit spool is full" });
    destination.failures = 0;
    for (const end = performance.now() + 60_000; destination.taken.length < 100 - refused; ) {
      assert.ok(performance.now() < end, `${destination.taken.length} of ${100 - refused} came`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    assert.equal(await backend.process([auditEvent("after")]), true);
    await backend.close();
    assert.deepEqual(destination.taken, [...ids(1, 100 - refused), "after"]);
    assert.deepEqual(sequences(destination).at(-1)?.slice(1), [101, 1]);
  });

  describe("whose disk takes nothing", { skip: !existsSync("/dev/full") && "there is no /dev/full" }, () => {
    /** The first segment of a new spool fails every write until it is removed. */
    async function openFull(more: Partial<SpoolOptions>): Promise<Spool & { free(): Promise<void> }> {
      const directory = newDirectory();
      await mkdir(directory);
      const segment = join(directory, "0000000000000001.events");
      const spool = await openSpool(directory, new Destination(), more);
      await symlink("/dev/full", segment);
      return { ...spool, free: () => rm(segment) };
    }

    const received = { stage: "RequestReceived" } as const;

    test("keeps events in memory, in their order, and lets requests go on, if it is not strict", async () => {
      const { backend, destination, losses, told, free } = await openFull({ isStrict: false });
      for (const id of ids(1, 20)) {
        assert.equal(await backend.process([auditEvent(id)]), true);
        assert.equal(backend.refusal(), undefined);
      }
      assert.match(told[0] ?? "", /^writing: ENOSPC/);
      await free();
      await backend.close();
      assert.deepEqual(destination.taken, ids(1, 20));
      assertContiguous(destination, 1);
      assert.equal(losses.count, 0);
    });

    test("refuses requests, and answers none before it has its events, if it is strict", async () => {
      const { backend, destination, losses, free } = await openFull({ isStrict: true });
      assert.equal(backend.refusal(), undefined);
      const ending = Promise.resolve(backend.process([auditEvent("event-1")]));
      assert.equal(await backend.process([auditEvent("event-2", received)]), false);
      assert.equal(backend.refusal(), "the audit spool cannot be written (ENOSPC)");
      assert.equal(await Promise.race([ending, "waiting"]), "waiting");
      await free();
      assert.equal(await ending, true);
      assert.equal(await backend.process([auditEvent("event-3", received)]), true);
      assert.equal(backend.refusal(), undefined);
      await backend.close();
      assert.deepEqual(destination.taken, ids(1, 3), "what was refused leaves the beginning that was noted");
      assert.equal(losses.count, 0);
    });

    test("counts what it has to give up at the end", async () => {
      const { backend, losses, giveUp } = await openFull({ isStrict: false });
      await backend.process(ids(1, 3).map((id) => auditEvent(id)));
      giveUp.abort();
      await backend.close();
      assert.deepEqual(
        losses.noted.map(({ plugin, count }) => [plugin, count]),
        [["spool", 3]],
      );
    });
  });

  test("that is full refuses requests if it is strict, and takes what was done already", async () => {
    const destination = deaf();
    const { backend, losses } = await openSpool(newDirectory(), destination, { maxBytes: 5_000, isStrict: true });
    let taken = 0;
    for (; backend.refusal() === undefined; taken++) {
      assert.equal(await backend.process([auditEvent(`event-${taken + 1}`)]), true);
    }
    assert.equal(backend.refusal(), "the audit spool is full");
    assert.equal(await backend.process([auditEvent(`event-${++taken}`)]), true);
    destination.failures = 0;
    await backend.close();
    assert.deepEqual(destination.taken, ids(1, taken));
    assert.equal(losses.count, 0);
  });

  test("removes the files of what has been delivered", async () => {
    const directory = newDirectory();
    const { backend } = await openSpool(directory, new Destination(), { maxBytes: 8_000 });
    for (const id of ids(1, 50)) {
      await backend.process([auditEvent(id)]);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await backend.close();
    const files = (await readdir(directory)).filter((name) => name.endsWith(".events"));
    assert.ok(files.length <= 1, files.join());
    assert.equal(await readFile(join(directory, "position"), "utf8"), "51\n");
    assert.equal((await stat(directory)).mode & 0o777, 0o700);
    assert.equal((await stat(join(directory, "position"))).mode & 0o777, 0o600);
  });

  test("does not let an event that the receiver refuses hold up the others for ever", async () => {
    const destination = new Destination();
    const taking = destination.request.bind(destination);
    destination.request = (request) => {
      destination.status = 413;
      destination.failures = String(request.body).includes("event-4") ? 1 : 0;
      return taking(request);
    };
    const { backend, losses } = await openSpool(newDirectory(), destination);
    await backend.process(ids(1, 9).map((id) => auditEvent(id)));
    await backend.close();
    assert.deepEqual(
      destination.taken,
      ids(1, 9).filter((id) => id !== "event-4"),
    );
    assert.deepEqual(losses.noted, [{ plugin: "webhook", count: 1, reason: "the receiver answered with HTTP 413" }]);
  });
});
