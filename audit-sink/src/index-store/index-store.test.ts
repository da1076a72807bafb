import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { finishSteps } from "@gatehouse/envelopes/scheduling";
import { microsecondsOf } from "./event-fields.js";
import { compileFilter, type EventFilter } from "./event-filter.js";
import { type EventPlace, eventAtPosition, findEvents } from "./find-events.js";
import { IndexStore, type IndexStoreOptions } from "./index-store.js";
import { summariseEvents } from "./summarise-events.js";

const root = mkdtempSync(join(tmpdir(), "gatehouse-index-"));
after(() => rmSync(root, { recursive: true }));
let folders = 0;

const keepAll = { maxAgeMs: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

function open(options: Partial<IndexStoreOptions> = {}): { store: IndexStore; directory: string } {
  const directory = options.directory ?? join(root, String(folders++));
  return { store: new IndexStore({ directory, retention: keepAll, ...options }), directory };
}

const users = ["alice", "bob", "system:serviceaccount:kube-system:gc", "carol"];
const verbs = ["get", "list", "create", "delete"];
const start = Date.UTC(2026, 0, 1) * 1000;

/** Event number n: at second n, but every tenth comes a minute late. */
function event(n: number) {
  const timeUs = start + n * 1_000_000 - (n % 10 === 9 ? 60_000_000 : 0);
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Metadata",
    auditID: `id-${n}`,
    stage: "ResponseComplete",
    requestURI: `/api/v1/namespaces/ns-${n % 3}/pods/p-${n}`,
    verb: verbs[n % verbs.length],
    user: { username: users[n % 7 === 0 ? 3 : n % 3] },
    sourceIPs: ["10.0.0.1"],
    objectRef: { resource: "pods", namespace: `ns-${n % 3}`, name: `p-${n}`, apiVersion: "v1" },
    responseStatus: { metadata: {}, code: n % 5 === 0 ? 404 : 200 },
    stageTimestamp: `${new Date(timeUs / 1000).toISOString().slice(0, -1)}000Z`,
    annotations: { "authorization.k8s.io/decision": "allow" },
  };
}

function batch(position: number, count: number, sender = "cluster-a") {
  const events = Array.from({ length: count }, (_, index) => ({
    bytes: Buffer.from(JSON.stringify(event(position + index))),
  }));
  return { position, sender, receivedTimestamp: 0, events };
}

function fill(store: IndexStore, count: number, from = store.position): void {
  for (let position = from; position < from + count; position += 500) {
    store.add(batch(position, Math.min(500, from + count - position)));
  }
}

function find(store: IndexStore, filter: EventFilter, limit: number, after_?: EventPlace, maxRows?: number) {
  return finishSteps(
    findEvents(store.chunks, compileFilter(filter), {
      limit,
      ...(after_ === undefined ? {} : { after: after_ }),
      ...(maxRows === undefined ? {} : { maxRows }),
    }),
  );
}

/** All positions that a filter finds, page by page. */
function findAll(store: IndexStore, filter: EventFilter, limit: number, maxRows?: number): number[] {
  const found: number[] = [];
  let place: EventPlace | undefined;
  do {
    const page = find(store, filter, limit, place, maxRows);
    found.push(...page.events.map(({ position }) => position));
    place = page.next;
  } while (place !== undefined);
  return found;
}

/** Returns the expected result of the same search, by looking at each event. */
function expected(count: number, accepts: (each: ReturnType<typeof event>) => boolean): number[] {
  const timeOf = (n: number) => microsecondsOf(event(n).stageTimestamp) as number;
  return Array.from({ length: count }, (_, n) => n)
    .filter((n) => accepts(event(n)))
    .sort((a, b) => timeOf(b) - timeOf(a) || b - a);
}

describe("the index of events", () => {
  const count = 40_000;
  const { store, directory } = open();
  fill(store, count);
  after(() => store[Symbol.dispose]());

  const cases: readonly [string, EventFilter, (each: ReturnType<typeof event>) => boolean][] = [
    ["all events", { fields: {} }, () => true],
    ["one user", { fields: { user: ["carol"] } }, ({ user }) => user.username === "carol"],
    [
      "two users and a verb",
      { fields: { user: ["carol", "bob"], verb: ["delete"] } },
      ({ user, verb }) => ["carol", "bob"].includes(user.username ?? "") && verb === "delete",
    ],
    ["a prefix", { fields: { user: ["system:*"] } }, ({ user }) => user.username?.startsWith("system:") === true],
    ["all but a verb", { fields: { verb: ["!get", "!list"] } }, ({ verb }) => verb !== "get" && verb !== "list"],
    ["a name", { fields: { name: ["p-777"] } }, ({ auditID }) => auditID === "id-777"],
    ["an audit ID", { fields: {}, auditID: "id-30000" }, ({ auditID }) => auditID === "id-30000"],
    [
      "codes and a namespace",
      { fields: { code: ["4*"], namespace: ["ns-1"] } },
      ({ responseStatus, objectRef }) => {
        return responseStatus.code === 404 && objectRef.namespace === "ns-1";
      },
    ],
    ["nobody", { fields: { user: ["nobody"] } }, () => false],
    [
      "a period",
      { fields: { resource: ["pods"] }, fromUs: start + 100e6, toUs: start + 20_000e6 },
      ({ stageTimestamp }) => {
        const timeUs = microsecondsOf(stageTimestamp) as number;
        return timeUs >= start + 100e6 && timeUs < start + 20_000e6;
      },
    ],
  ];
  for (const [name, filter, accepts] of cases) {
    test(`finds ${name}, newest first, page by page`, () => {
      assert.deepEqual(findAll(store, filter, 3000), expected(count, accepts));
    });
  }

  test("ends a page early when it has looked at enough, and goes on from there", () => {
    const page = find(store, { fields: { user: ["nobody"] } }, 10, undefined, 1);
    assert.equal(page.events.length, 0);
    assert.notEqual(page.next, undefined);
    const isCarol = ({ user }: ReturnType<typeof event>) => user.username === "carol";
    assert.deepEqual(findAll(store, { fields: { user: ["carol"] } }, 1000, 1), expected(count, isCarol));
  });

  test("gives an event by its position, as it was sent", () => {
    for (const n of [0, 16_383, 16_384, count - 1]) {
      const found = eventAtPosition(store.chunks, n);
      assert.deepEqual(JSON.parse(found?.json.toString() ?? ""), event(n));
      assert.equal(found?.sender, "cluster-a");
    }
    assert.equal(eventAtPosition(store.chunks, count), undefined);
  });

  test("counts by verb and outcome over time, and ranks users and resources", () => {
    const summary = finishSteps(
      summariseEvents(store.chunks, compileFilter({ fields: { namespace: ["ns-0"] } }), {
        fromUs: start,
        toUs: start + 30_000e6,
        buckets: 3,
        top: 2,
      }),
    );
    const chosen = expected(count, ({ stageTimestamp, objectRef }) => {
      const timeUs = microsecondsOf(stageTimestamp) as number;
      return timeUs >= start && timeUs < start + 30_000e6 && objectRef.namespace === "ns-0";
    });
    const bucketed = (accepts: (n: number) => boolean) =>
      [0, 1, 2].map(
        (bucket) =>
          chosen.filter((n) => {
            const timeUs = microsecondsOf(event(n).stageTimestamp) as number;
            return accepts(n) && Math.floor((timeUs - start) / 10_000e6) === bucket;
          }).length,
      );
    assert.equal(summary.total, chosen.length);
    assert.equal(
      summary.bytes,
      chosen.reduce((sum, n) => sum + JSON.stringify(event(n)).length, 0),
    );
    assert.deepEqual(
      { ...summary.byVerb },
      Object.fromEntries(verbs.toSorted().map((verb) => [verb, bucketed((n) => event(n).verb === verb)])),
    );
    assert.deepEqual(
      { ...summary.byOutcome },
      { "2xx": bucketed((n) => n % 5 !== 0), "4xx": bucketed((n) => n % 5 === 0) },
    );
    assert.deepEqual(summary.top.user, [
      { value: "alice", count: chosen.filter((n) => event(n).user.username === "alice").length },
      { value: "carol", count: chosen.filter((n) => event(n).user.username === "carol").length },
    ]);
    assert.deepEqual(summary.top.resource, [{ value: "pods", count: chosen.length }]);
    assert.equal(summary.complete, true);
  });

  test("holds the same after it was opened anew", () => {
    store.checkpoint();
    const { store: again } = open({ directory });
    assert.equal(again.position, count);
    const filter = { fields: { user: ["carol"] } };
    assert.deepEqual(findAll(again, filter, 1000), findAll(store, filter, 1000));
    again[Symbol.dispose]();
  });
});

describe("what an index keeps", () => {
  test("after a crash it goes on from the last checkpoint, and takes no event twice", () => {
    const { store, directory } = open();
    fill(store, 600);
    store.checkpoint();
    fill(store, 500);
    assert.equal(store.position, 1100);
    assert.equal(store.durablePosition, 600);
    // Never closed: as if the process had been killed.
    const { store: again } = open({ directory });
    assert.equal(again.position, 600);
    // The log gives whole batches, from before the position on.
    again.add(batch(500, 500));
    again.add(batch(1000, 100));
    assert.deepEqual(
      findAll(again, { fields: {} }, 5000),
      expected(1100, () => true),
    );
    again.checkpoint();
    assert.deepEqual(readdirSync(directory), ["0000000000000000-0000000000001100.chunk"]);
  });

  test("a crash between writing a file and deleting the one before leaves no event twice", () => {
    const { store, directory } = open();
    fill(store, 300);
    store.checkpoint();
    const [name = ""] = readdirSync(directory);
    const { store: second } = open({ directory });
    fill(second, 300);
    second.checkpoint();
    writeFileSync(join(directory, name), "the older file, still there");
    writeFileSync(join(directory, "0000000000000600-0000000000000900.chunk.new"), "unfinished");
    const { store: again } = open({ directory });
    assert.deepEqual(
      findAll(again, { fields: {} }, 5000),
      expected(600, () => true),
    );
    assert.deepEqual(readdirSync(directory), ["0000000000000000-0000000000000600.chunk"]);
  });

  test("a damaged file is told, and its events are read from the log again", () => {
    const told: string[] = [];
    const { store, directory } = open();
    fill(store, 300);
    store.checkpoint();
    const [name = ""] = readdirSync(directory);
    truncateSync(join(directory, name), 1000);
    const { store: again } = open({ directory, onDamage: (path) => told.push(path) });
    assert.deepEqual(told, [join(directory, name)]);
    assert.equal(again.position, 0);
  });

  test("holes in the log stay holes", () => {
    const { store } = open();
    store.add(batch(10, 5));
    store.add(batch(100, 5));
    assert.deepEqual(
      findAll(store, { fields: {} }, 100),
      expected(105, ({ auditID }) => {
        const n = Number(auditID.slice(3));
        return (n >= 10 && n < 15) || n >= 100;
      }),
    );
  });

  test("what cannot be written stays in memory, and is written when it can be", () => {
    const { store, directory } = open();
    rmSync(directory, { recursive: true });
    assert.throws(() => fill(store, 20_000), /ENOENT/);
    assert.equal(store.position, 16_384);
    assert.throws(() => fill(store, 1, 16_384), /ENOENT/);
    mkdirSync(directory);
    fill(store, 20_000, 16_000);
    assert.deepEqual(
      findAll(store, { fields: {} }, 10_000),
      expected(36_000, () => true),
    );
  });

  test("a question that is under way passes over what retention deletes", () => {
    const { store } = open({ now: () => (start + 90_000e6) / 1000, retention: { ...keepAll, maxAgeMs: 60_000_000 } });
    fill(store, 50_000);
    const search = findEvents(store.chunks, compileFilter({ fields: {} }), { limit: 100_000 });
    search.next();
    search.next();
    assert.equal(store.retain(), 16_384);
    assert.equal(finishSteps(search).events.length, 50_000 - 16_384);
    const counting = summariseEvents(store.chunks, compileFilter({ fields: {} }), {
      fromUs: 0,
      toUs: Number.MAX_SAFE_INTEGER,
      buckets: 1,
      top: 1,
    });
    store[Symbol.dispose]();
    assert.equal(finishSteps(counting).total, 50_000 - 49_152);
  });

  test("what is too old goes, and the oldest where it is too much, but never the position", () => {
    const now = (start + 50_000e6) / 1000;
    const { store, directory } = open({ now: () => now, retention: { ...keepAll, maxAgeMs: 30_000_000 } });
    fill(store, 50_000);
    assert.equal(store.retain(), 16_384);
    assert.equal(readdirSync(directory).length, 2);
    const { store: again } = open({ directory, now: () => now, retention: { ...keepAll, maxBytes: 1 } });
    assert.equal(again.retain(), 16_384);
    assert.equal(again.position, 49_152);
    assert.equal(again.chunks.length, 1);
  });
});
