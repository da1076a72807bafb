import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { forEachCrash, MortalProcess } from "@gatehouse/testing/crash";
import { verifyLog } from "../completeness/verify-log.js";
import { markName } from "./acknowledged-mark.js";
import { type AuditLog, openAuditLog } from "./audit-log.js";
import { batchOf, textsOf } from "./log.test.support.js";
import { LogDamagedError } from "./log-batch.js";
import { readIndexes } from "./read-indexes.js";
import { segmentHeadBytes } from "./segment.js";

const root = await mkdtemp(join(tmpdir(), "gatehouse-damaged-log-"));
after(() => rm(root, { recursive: true }));

const batches = ["a", "b", "c", "d", "e"].map((name) => [`${name}1`, `${name}2`]);
const allTexts = batches.flat().map((text, position) => `${position} ${text}`);

/** A batch and the bytes of its frame in a file. */
interface PlacedFrame {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly texts: readonly string[];
}

interface ExampleLog {
  readonly directory: string;
  readonly frames: readonly PlacedFrame[];
}

/** Makes a log of five acknowledged batches, in as many segments or in one. */
async function exampleLog(segmentBytes: number): Promise<ExampleLog> {
  const directory = await mkdtemp(join(root, "example-"));
  await using log = await openAuditLog({ directory, segmentBytes });
  const frames: PlacedFrame[] = [];
  for (const [index, texts] of batches.entries()) {
    await log.append(batchOf(texts, { source: "server-1", sequence: 2 * index, received: 2 }));
    const { firstPosition, bytes } = log.lastSegment as NonNullable<AuditLog["lastSegment"]>;
    const file = `${String(firstPosition).padStart(20, "0")}.segment`;
    const start = frames.at(-1)?.file === file ? (frames.at(-1) as PlacedFrame).end : segmentHeadBytes;
    frames.push({ file, start, end: bytes, texts: allTexts.slice(2 * index, 2 * index + 2) });
  }
  return { directory, frames };
}

async function copyOf({ directory }: ExampleLog): Promise<string> {
  const copy = await mkdtemp(join(root, "copy-"));
  for (const name of await readdir(directory)) {
    await cp(join(directory, name), join(copy, name));
  }
  return copy;
}

/** Reads a log as a pipeline does: goes on behind what is damaged. */
async function readAll(log: AuditLog): Promise<readonly string[]> {
  const found: string[] = [];
  let position = 0;
  while (position < log.endPosition) {
    const stop = new AbortController();
    try {
      for await (const batch of log.readFrom(position, stop.signal)) {
        found.push(...textsOf(batch));
        position = batch.position + batch.events.length;
        if (position >= log.endPosition) {
          stop.abort();
        }
      }
    } catch (error) {
      assert.ok(error instanceof LogDamagedError, String(error));
      assert.ok(error.resumeAt > position, "a reader makes headway");
      position = error.resumeAt;
    }
  }
  return found;
}

async function indexedPositions(log: AuditLog): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const { position } of readIndexes(log, 0)) {
    found.push(position);
  }
  return found;
}

/** Opens a damaged log and checks that it keeps all bytes and every batch but the lost ones, and goes on behind its end. */
async function checkDamaged(
  directory: string,
  { frames }: ExampleLog,
  lost: readonly PlacedFrame[],
  what: string,
): Promise<void> {
  const before = await contentOf(directory);
  assert.ok((await verifyLog(directory)).faults.length > 0, `${what}: verification finds it before the log is opened`);
  {
    await using log = await openAuditLog({ directory, segmentBytes: 1e6 });
    assert.equal(log.endPosition, allTexts.length, what);
    assert.equal(await log.append(batchOf(["next"])), allTexts.length, what);
    const texts = await readAll(log);
    const lostTexts = lost.flatMap(({ texts }) => texts);
    const missing = [...allTexts, "10 next"].filter((text) => !texts.includes(text));
    assert.ok(
      missing.every((text) => lostTexts.includes(text)),
      `${what}: every batch but the damaged one is read, not ${texts.join(", ")}`,
    );
    const indexed = await indexedPositions(log);
    for (const { texts } of frames.filter((frame) => !lost.includes(frame))) {
      assert.ok(indexed.includes(Number.parseInt(texts[0] as string, 10)), `${what}: ${texts[0]} is indexed`);
    }
  }
  const kept = await contentOf(directory);
  for (const [name, bytes] of before) {
    assert.ok(kept.get(name)?.subarray(0, bytes.length).equals(bytes), `${what}: ${name} keeps its bytes`);
  }
  assert.ok((await verifyLog(directory)).faults.length > 0, `${what}: verification finds it after that, too`);
}

/** Waits for no flush, which only a loss of power would need: there are thousands of logs to open. */
async function withoutFlushes(work: () => Promise<void>): Promise<void> {
  await using process = new MortalProcess({ change: Number.POSITIVE_INFINITY, torn: "none" });
  assert.equal(await process.run(work), "finished");
}

async function contentOf(directory: string): Promise<ReadonlyMap<string, Buffer>> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".segment"));
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const)));
}

async function flip(directory: string, name: string, bit: number): Promise<void> {
  const path = join(directory, name);
  const bytes = await readFile(path);
  bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
  await writeFile(path, bytes);
}

// Every bit of a head in one segment; in many segments, which take longer to open, every fifth, which meets each bit of a byte.
for (const [layout, segmentBytes, step] of [
  ["in one segment", 1e6, 1],
  ["in many segments", 100, 5],
] as const) {
  const example = await exampleLog(segmentBytes);
  for (const [place, index] of [
    ["first", 0],
    ["middle", 2],
    ["last", 4],
  ] as const) {
    test(`no flipped bit of the ${place} batch ${layout} costs another batch, or is passed over by verification`, async () => {
      const frame = example.frames[index] as PlacedFrame;
      const headBits = Array.from({ length: Math.ceil(256 / step) }, (_, index) => 8 * frame.start + index * step);
      const otherBits: number[] = [];
      for (let byte = frame.start + 32; byte < frame.end; byte += 11) {
        otherBits.push(8 * byte + (byte % 8));
      }
      const directory = await copyOf(example);
      const pristine = await copyOf(example);
      await withoutFlushes(async () => {
        for (const bit of [...headBits, ...otherBits]) {
          await restore(directory, pristine);
          await flip(directory, frame.file, bit);
          await checkDamaged(directory, example, [frame], `bit ${bit - 8 * frame.start}`);
        }
      });
    });
  }

  test(`no flipped bit of a segment's head ${layout} costs a batch, or is passed over by verification`, async () => {
    const directory = await copyOf(example);
    const pristine = await copyOf(example);
    const files = [...new Set(example.frames.map(({ file }) => file))];
    await withoutFlushes(async () => {
      for (const file of new Set([files[0], files.at(-1)] as string[])) {
        for (let bit = 0; bit < 8 * segmentHeadBytes; bit += 3) {
          await restore(directory, pristine);
          await flip(directory, file, bit);
          await checkDamaged(directory, example, [], `bit ${bit} of ${file}`);
        }
      }
    });
  });

  test(`a log ${layout} whose end is cut off goes on behind what was acknowledged, and is not verified as whole`, async () => {
    const { file, start, end } = example.frames.at(-1) as PlacedFrame;
    for (const length of [end - 1, end - 32, start + 1, start, segmentHeadBytes, segmentHeadBytes - 1, 0]) {
      const directory = await copyOf(example);
      await truncate(join(directory, file), length);
      await checkDamaged(
        directory,
        example,
        example.frames.filter((frame) => frame.file === file && frame.end > length),
        `${length} bytes`,
      );
    }
  });

  test(`a log ${layout} whose last segment is deleted goes on behind what was acknowledged`, async () => {
    const { file } = example.frames.at(-1) as PlacedFrame;
    const directory = await copyOf(example);
    await rm(join(directory, file));
    await checkDamaged(
      directory,
      example,
      example.frames.filter((frame) => frame.file === file),
      file,
    );
  });
}

/** Gives a folder the content of another one. */
async function restore(directory: string, pristine: string): Promise<void> {
  await rm(directory, { recursive: true });
  await mkdir(directory);
  for (const name of await readdir(pristine)) {
    await cp(join(pristine, name), join(directory, name));
  }
}

test("an unacknowledged batch that was cut short at any byte is no damage", async () => {
  const directory = await mkdtemp(join(root, "torn-"));
  const mark = join(directory, markName);
  {
    await using log = await openAuditLog({ directory, segmentBytes: 1e6 });
    await log.append(batchOf(["a", "b"]));
    await cp(mark, `${mark}.before`);
    await log.append(batchOf(["c", "d"]));
  }
  await rename(`${mark}.before`, mark);
  const [[name, whole]] = [...(await contentOf(directory))] as [[string, Buffer]];
  const firstEnd = segmentHeadBytes + whole.readUInt32LE(segmentHeadBytes);
  const markBytes = await readFile(mark);
  for (let length = firstEnd; length <= whole.length; length++) {
    await writeFile(join(directory, name), whole.subarray(0, length));
    await writeFile(mark, markBytes);
    const { faults, unfinishedBytes } = await verifyLog(directory);
    const isWhole = length === whole.length;
    assert.deepEqual([faults, unfinishedBytes], [[], isWhole ? 0 : length - firstEnd], `${length} bytes`);
    await using log = await openAuditLog({ directory, segmentBytes: 1e6 });
    assert.deepEqual([log.damages, log.endPosition], [[], isWhole ? 4 : 2]);
  }
});

test("killed at any change of its disk while a damaged log is opened, the log keeps everything that is left", async () => {
  const example = await exampleLog(1e6);
  const { file, start } = example.frames.at(-1) as PlacedFrame;
  const lives = await forEachCrash(async (point) => {
    const directory = await copyOf(example);
    await flip(directory, file, 8 * start);
    const before = (await contentOf(directory)).get(file) as Buffer;
    await using mortal = new MortalProcess(point);
    const outcome = await mortal.run(async () => {
      const log = await openAuditLog({ directory, segmentBytes: 1e6 });
      await log.append(batchOf(["next"]));
      await log[Symbol.asyncDispose]();
    });
    await mortal[Symbol.asyncDispose]();
    await withoutFlushes(async () => {
      await using log = await openAuditLog({ directory, segmentBytes: 1e6 });
      assert.ok(log.endPosition >= allTexts.length, JSON.stringify(point));
      assert.deepEqual((await readAll(log)).slice(0, 8), allTexts.slice(0, 8));
    });
    assert.deepEqual((await contentOf(directory)).get(file), before, JSON.stringify(point));
    assert.ok((await verifyLog(directory)).faults.length > 0);
    return outcome;
  });
  assert.ok(lives > 5, String(lives));
});

test("a flipped bit of the mark costs nothing", async () => {
  const example = await exampleLog(1e6);
  const directory = await copyOf(example);
  const pristine = await copyOf(example);
  for (let bit = 0; bit < 8 * 128; bit += 7) {
    await restore(directory, pristine);
    await flip(directory, markName, bit);
    await using log = await openAuditLog({ directory, segmentBytes: 1e6 });
    assert.deepEqual([log.damages, log.endPosition], [[], 10], `bit ${bit}`);
  }
});

test("a log that was written anew, and is whole in itself, is not the one that was acknowledged", async () => {
  const example = await exampleLog(1e6);
  const other = await mkdtemp(join(root, "other-"));
  {
    await using log = await openAuditLog({ directory: other, segmentBytes: 1e6 });
    for (const texts of batches) {
      await log.append(batchOf(texts));
    }
  }
  const [name] = (await readdir(other)).filter((each) => each.endsWith(".segment")) as [string];
  await cp(join(other, name), join(example.directory, name));
  const { faults } = await verifyLog(example.directory);
  assert.deepEqual(
    faults.map(({ position, problem }) => [position, problem]),
    [[10, "the events up to here are not those that were acknowledged"]],
  );
  await using log = await openAuditLog({ directory: example.directory, segmentBytes: 1e6 });
  assert.deepEqual(
    log.damages.map(({ problem }) => problem),
    ["the events up to here are not those that were acknowledged"],
  );
  assert.equal(await log.append(batchOf(["next"])), 10);
});
