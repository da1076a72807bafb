import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { EtcdProcess, findEtcd } from "../support/etcd-process.js";
import { FaceClient } from "./face-under-test.js";
import { playHistory } from "./play-history.js";
import { type HistoryStep, randomHistory } from "./random-history.js";
import { ServedFace } from "./served-face.js";

const found = await findEtcd();

/** Histories for each run, and their length; `npm run soak` asks for more. */
const histories = Number(process.env["SOAK_ETCD_HISTORIES"] ?? 2);
const steps = 300;
const seed = Number(process.env["FUZZ_SEED"] ?? 20);

/** A history with the answers of etcd 3.5.16, and what its watches have seen. */
interface Recorded {
  readonly steps: readonly { readonly step: HistoryStep; readonly answer: unknown }[];
  readonly seen: unknown;
  /** The hashes of the history at the end: revision (0: the newest), hash, compact revision. */
  readonly hashes: readonly HashAt[];
}

type HashAt = readonly [revision: number, hash: number, compactRevision: number];

describe("the etcd API of the embedded store", () => {
  it("answers a recorded history as etcd 3.5 has answered it", async () => {
    const path = new URL("../../src/etcd-face/recorded-history.json", import.meta.url);
    const { steps: recorded, seen, hashes } = JSON.parse(readFileSync(path, "utf8")) as Recorded;
    const history = recorded.map(({ step }) => step);
    await using face = await ServedFace.start();
    const { answers: ours } = await playHistory(face.url, history);
    assertSame(history, ours, [...recorded.map(({ answer }) => answer), seen]);
    assert.deepEqual(await hashesOf(face.url), hashes);
  });

  it("answers random histories as the etcd of this machine", { skip: "skip" in found && found.skip }, async () => {
    for (let i = 0; i < histories; i++) {
      await using etcd = await EtcdProcess.start({ path: "path" in found ? found.path : "" });
      await using face = await ServedFace.start();
      const history = randomHistory(seed + i, steps);
      const ours = await playHistory(face.url, history);
      const theirs = await playHistory(etcd.url, history, {
        seenAtWaits: ours.seenAtWaits,
        areCaughtUp: () => etcd.watchesAreCaughtUp(),
      });
      assertSame(history, ours.answers, theirs.answers);
      assert.deepEqual(await hashesOf(face.url), await hashesOf(etcd.url));
    }
  });
});

/**
 * Returns the hashes of the whole history and of all its revisions after the compact one: for that and older ones, etcd
 * answers what it has remembered from its compactions.
 */
async function hashesOf(url: string): Promise<HashAt[]> {
  using client = await FaceClient.open(url);
  const { HashKV } = client.api.maintenance;
  const { header, hash, compactRevision } = await client.call(HashKV, { revision: 0 });
  const hashes: HashAt[] = [[0, hash, compactRevision]];
  for (let revision = compactRevision + 1; revision <= (header?.revision ?? 0); revision++) {
    const at = await client.call(HashKV, { revision });
    hashes.push([revision, at.hash, at.compactRevision]);
  }
  return hashes;
}

function assertSame(history: readonly HistoryStep[], ours: readonly unknown[], theirs: readonly unknown[]): void {
  theirs.forEach((answer, index) => {
    const step = JSON.stringify(history[index] ?? "all that the watches have seen");
    assert.deepEqual(JSON.parse(JSON.stringify(ours[index])), JSON.parse(JSON.stringify(answer)), `${index}: ${step}`);
  });
}
