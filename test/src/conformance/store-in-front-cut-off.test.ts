import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { backingNames } from "@gatehouse/apiserver/extension/front-store";
import type { Store, StoreEvent, WriteResult } from "@gatehouse/apiserver/storage";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { collectUntil, seededRandom } from "@gatehouse/testing/store-contract";
import { type Fate, FaultyFront, fates } from "../support/faulty-front.js";
import { StoresInFront } from "../support/stores-in-front.js";
import { until } from "../support/until.js";

// Processes that share a store in front, each behind a network of its own that loses requests and answers.

// `npm run soak -- --front-store-rounds=50` makes it more.
const rounds = Number(process.env["FRONT_STORE_ROUNDS"] ?? 1);
const writersOfProcess = 3;
const writesOfWriter = 40;
const keys = 5;

/** A write, and how it has ended for its caller. */
interface Attempt {
  readonly key: string;
  /** The value of a put, which no other write has; undefined for a delete. */
  readonly value: string | undefined;
  readonly expectedRevision: number;
  readonly outcome: WriteResult | { readonly error: unknown };
}

/** Returns the fates of the requests of a network: some are bad, and at times many in a row are. */
function unsteady(random: (bound: number) => number): () => Fate {
  let badInARow = 0;
  return () => {
    badInARow = badInARow > 0 ? badInARow - 1 : random(150) === 0 ? 25 : 0;
    const isBad = badInARow > 0 || random(100) < 25;
    return isBad ? (fates[random(fates.length)] ?? "passed") : "passed";
  };
}

async function write(store: Store, random: (bound: number) => number, value: string): Promise<Attempt | undefined> {
  const key = `/keys/${random(keys)}`;
  let expectedRevision: number;
  try {
    expectedRevision = (await store.get(key)).kv?.modRevision ?? 0;
  } catch {
    // A read that fails leaves nothing behind.
    return undefined;
  }
  const isDelete = expectedRevision > 0 && random(4) === 0;
  const pending = isDelete
    ? store.delete(key, { expectedRevision })
    : store.put(key, Buffer.from(value), { expectedRevision });
  const outcome = await pending.catch((error: unknown) => ({ error }));
  return { key, value: isDelete ? undefined : value, expectedRevision, outcome };
}

/** Returns the events that a write may have caused. */
function eventsOf({ key, value, expectedRevision }: Attempt, history: readonly StoreEvent[]): readonly StoreEvent[] {
  return history.filter((event) =>
    event.type === "put"
      ? String(event.value) === value
      : value === undefined && event.key === key && event.previous?.modRevision === expectedRevision,
  );
}

function checkAttempt(attempt: Attempt, attempts: readonly Attempt[], history: readonly StoreEvent[]): void {
  const { outcome } = attempt;
  const caused = eventsOf(attempt, history);
  const told = `${JSON.stringify(attempt)}: ${JSON.stringify(caused)}`;
  assert.ok(caused.length <= 1, `written twice: ${told}`);
  if ("error" in outcome) {
    assert.ok(outcome.error instanceof Error && /^Store(?:Timeout|Unavailable)Error$/.test(outcome.error.name), told);
    return;
  }
  if (outcome.succeeded) {
    assert.equal(caused[0]?.revision, outcome.revision, `lost: ${told}`);
    return;
  }
  // Deletes of one version have the same event: one of them may have caused it.
  const rivals = attempts.filter((other) => other !== attempt && eventsOf(other, caused).length > 0);
  assert.ok(caused.length === 0 || rivals.length > 0, `a conflict with itself: ${told}`);
}

for (const backing of backingNames) {
  describe(`a store in ${backing} behind a network that loses requests and answers`, () => {
    let controlPlane: ControlPlane;
    let stores: StoresInFront;
    before(async () => {
      controlPlane = await startControlPlane();
      stores = await StoresInFront.prepare(controlPlane, backing);
    });
    after(() => controlPlane.stop());

    /** Opens the store of one process, whose network is good until the store is open. */
    async function openBehindNetwork(random: (bound: number) => number, open: (front: ClientConfig) => Promise<Store>) {
      const front = await FaultyFront.start(controlPlane.clientConfig, random);
      const store = await open(front.clientConfig);
      front.fateOf = unsteady(random);
      return {
        front,
        store,
        random,
        async [Symbol.asyncDispose]() {
          await store[Symbol.asyncDispose]();
          await front[Symbol.asyncDispose]();
        },
      };
    }

    for (let seed = 1; seed <= rounds; seed++) {
      it(`keeps each acknowledged write, makes none twice, and tells nobody of a conflict with itself (seed ${seed})`, async () => {
        await using fixture = await stores.create();
        const open = (front?: ClientConfig): Promise<Store> => stores.open(fixture.namespace, front);
        await using witness = await open();
        const start = await witness.currentRevision();
        await using first = await openBehindNetwork(seededRandom(seed * 2), open);
        await using second = await openBehindNetwork(seededRandom(seed * 2 + 1), open);
        const processes = [first, second];
        const attempts: Attempt[] = [];
        await Promise.all(
          processes.flatMap(({ store, random }, process) =>
            Array.from({ length: writersOfProcess }, async (_, writer) => {
              for (let number = 0; number < writesOfWriter; number++) {
                const attempt = await write(store, random, `${process}/${writer}/${number}`);
                if (attempt !== undefined) {
                  attempts.push(attempt);
                }
              }
            }),
          ),
        );
        for (const { front } of processes) {
          front.fateOf = () => "passed";
          await front.settled();
        }
        // A write whose outcome nobody knows happens at once or never: with the next one it is certain.
        const last = await until("the store takes a write", async () => {
          const { kv } = await witness.get("/last");
          const result = await witness.put("/last", Buffer.from("last"), { expectedRevision: kv?.modRevision ?? 0 });
          return result.succeeded && result.revision;
        });

        const history = await collectUntil(witness, { prefix: "/", afterRevision: start, revision: last });
        assert.deepEqual(
          history.map(({ revision }) => revision),
          Array.from({ length: last - start }, (_, index) => start + 1 + index),
        );
        for (const attempt of attempts) {
          checkAttempt(attempt, attempts, history);
        }
        // Every process, and who reads the objects in front anew, has the same.
        await using anew = await open();
        const contentOf = async (store: Store) => (await store.range({ prefix: "/" })).kvs.map((kv) => ({ ...kv }));
        const content = await contentOf(witness);
        for (const store of [anew, ...processes.map((one) => one.store)]) {
          assert.deepEqual(
            await until("the content can be read", () => contentOf(store).catch(() => undefined)),
            content,
          );
        }
        // The faults have been there, and most writes went well.
        for (const { front } of processes) {
          assert.deepEqual([...front.writes.keys()].sort(), [...fates].sort());
        }
        const succeeded = attempts.filter(({ outcome }) => "succeeded" in outcome && outcome.succeeded).length;
        const failed = attempts.filter(({ outcome }) => "error" in outcome).length;
        assert.ok(succeeded > failed, `${succeeded} writes have succeeded, and ${failed} failed`);
      });
    }
  });
}
