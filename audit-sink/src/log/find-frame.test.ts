import assert from "node:assert/strict";
import { mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type FoundFrame, findFrame } from "./find-frame.js";
import { encodeFrame, hashBytes, placeFrame } from "./frame.js";
import { batchOf } from "./log.test.support.js";

const root = await mkdtemp(join(tmpdir(), "gatehouse-find-frame-"));
after(() => rm(root, { recursive: true }));

const chain = Buffer.alloc(hashBytes, 7);

function frameAt(position: number): Buffer {
  const frame = encodeFrame(batchOf(["a", "b"]));
  placeFrame(frame, position, chain);
  return frame;
}

async function find(content: Buffer, from: number, minPosition = 0): Promise<FoundFrame | undefined> {
  const path = join(root, "file");
  await writeFile(path, content);
  const file = await open(path, "r");
  try {
    return await findFrame(file, { from, end: content.length, minPosition });
  } finally {
    await file.close();
  }
}

test("the next frame is found wherever it begins, also across the pieces in which a file is read", async () => {
  const mebibyte = 2 ** 20;
  const offsets = Array.from({ length: 100 }, (_, i) => mebibyte - 80 + i);
  for (const offset of [hashBytes + 1, ...offsets, 2 * mebibyte - 45]) {
    const before = Buffer.alloc(offset - hashBytes, " ");
    const found = await find(Buffer.concat([before, chain, frameAt(5)]), 1);
    assert.deepEqual(found, { offset, position: 5, chain }, String(offset));
  }
});

test("what only looks like a frame is passed over", async () => {
  const text = Buffer.from('{"sender":"'.repeat(300_000));
  const altered = frameAt(5);
  altered[altered.length - 40] = 0;
  const other = frameAt(6);
  const content = Buffer.concat([text, chain, altered, chain, frameAt(2), chain, other]);
  assert.equal((await find(content, 1, 3))?.offset, content.length - other.length);
  assert.equal(
    await find(content.subarray(0, content.length - 1), 1, 3),
    undefined,
    "a frame that is cut short is none",
  );
});
