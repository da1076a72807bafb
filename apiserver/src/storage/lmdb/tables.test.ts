import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { openTables } from "./tables.js";

/** LMDB's flag of an environment that flushes nothing (MDB_NOSYNC). */
const noSync = 0x10000;

for (const { title, unsafeNoFsync } of [
  { title: "an environment flushes its commits", unsafeNoFsync: undefined },
  { title: "an environment flushes nothing when it is opened so", unsafeNoFsync: true },
]) {
  it(title, async () => {
    const directory = await mkdtemp(join(tmpdir(), "gatehouse-tables-"));
    const { root } = await openTables(directory, unsafeNoFsync === undefined ? {} : { unsafeNoFsync });
    try {
      assert.equal(((await flagsOf(root)) & noSync) !== 0, unsafeNoFsync === true);
    } finally {
      await root.close();
      await rm(directory, { recursive: true });
    }
  });
}

/** Returns the flags that LMDB itself has noted. The types of its binding do not have the function. */
async function flagsOf(root: object): Promise<number> {
  const { nativeAddon } = (await import("lmdb")) as unknown as Native;
  return nativeAddon.getEnvFlags((root as { readonly env: { readonly address: number } }).env.address);
}

interface Native {
  readonly nativeAddon: { getEnvFlags(address: number): number };
}
