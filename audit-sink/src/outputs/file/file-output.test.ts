import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { holdFlushes } from "@gatehouse/testing/crash";
import type { FileOutputConfig } from "../../config/output-config.js";
import type { OutputContext } from "../output.js";
import { outputBatch, outputContract, outputEvent, SavedPipeline } from "../output-contract.test.support.js";
import { openFileOutput } from "./file-output.js";

const root = await mkdtemp(join(tmpdir(), "gatehouse-file-output-"));
after(() => rm(root, { recursive: true }));

const unbounded = Number.POSITIVE_INFINITY;
const signal = AbortSignal.timeout(60_000);

async function newConfig(rest: Partial<FileOutputConfig> = {}): Promise<FileOutputConfig> {
  const path = join(await mkdtemp(join(root, "out-")), "files", "audit.log");
  return {
    path,
    maxBytes: unbounded,
    maxAgeMs: unbounded,
    maxFiles: unbounded,
    keepForMs: unbounded,
    compress: true,
    ...rest,
  };
}

/** The lines of all files, the oldest file first. */
async function linesOf({ path }: FileOutputConfig): Promise<readonly string[]> {
  const folder = join(path, "..");
  const names = (await readdir(folder)).filter((name) => name !== "audit.log").sort();
  const files = [...names, ...((await readdir(folder)).includes("audit.log") ? ["audit.log"] : [])];
  const texts = await Promise.all(
    files.map(async (name) => {
      const bytes = await readFile(join(folder, name));
      return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
    }),
  );
  return texts.join("").split("\n").slice(0, -1);
}

const idsOf = async (config: FileOutputConfig): Promise<readonly string[]> =>
  (await linesOf(config)).map((line) => (JSON.parse(line) as { auditID: string }).auditID);

for (const [name, rest] of [
  ["file", {}],
  ["file that is full with each batch", { maxBytes: 10 }],
] as const) {
  outputContract(name, { keepsOnce: true, canFail: true }, async () => {
    const config = await newConfig(rest);
    const folder = join(config.path, "..");
    return {
      open: (context) => openFileOutput(config, context),
      received: () => idsOf(config),
      breakDown: () => rename(folder, `${folder}-away`),
      mend: async () => {
        await rm(folder, { recursive: true, force: true });
        await rename(`${folder}-away`, folder);
      },
      async [Symbol.asyncDispose]() {},
    };
  });
}

const context = (): OutputContext => ({ pipeline: "test", state: undefined, saveState: async () => undefined });

test("a line is a document of its own, whatever the list it came in said", async () => {
  const config = await newConfig();
  const output = await openFileOutput(config, context());
  const whole = { ...outputEvent(1), bytes: Buffer.from('{"kind":"Event","auditID":"b"}') };
  await output.deliver(outputBatch([outputEvent(0), whole]), signal);
  await output.close();
  assert.deepEqual(await linesOf(config), [
    '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","auditID":"id-0","stage":"ResponseComplete","verb":"get"}',
    '{"kind":"Event","auditID":"b"}',
  ]);
});

test("events are delivered when they have been flushed, and not before", async () => {
  const output = await openFileOutput(await newConfig(), context());
  await output.deliver(outputBatch([outputEvent(0)]), signal);
  using flushes = await holdFlushes();
  const delivered = output.deliver(outputBatch([outputEvent(1)]), signal).then(() => "delivered");
  assert.equal(await Promise.race([delivered, flushes.first.then(() => "flushing")]), "flushing");
  flushes.release();
  assert.equal(await delivered, "delivered");
  await output.close();
});

test("full files are packed and named after their end, and only so many are kept", async () => {
  const config = await newConfig({ maxBytes: 200, maxFiles: 2 });
  const output = await openFileOutput(config, context());
  for (let n = 0; n < 6; n++) {
    await output.deliver(outputBatch([outputEvent(n)]), signal);
  }
  await output.close();
  // Tidying up goes on in the background, and does not start anew while it does. A start does it all.
  await (await openFileOutput(config, context())).close();
  const names = await readdir(join(config.path, ".."));
  assert.equal(names.length, 3);
  assert.equal(
    names.filter((name) => /^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z(-\d+)?\.log\.gz$/.test(name)).length,
    2,
  );
  assert.deepEqual(await idsOf(config), ["id-3", "id-4", "id-5"]);
});

test("files that are not packed stay as they are, and old ones are removed", async () => {
  const config = await newConfig({ maxAgeMs: 1, keepForMs: 3_600_000, compress: false });
  const folder = join(config.path, "..");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "audit-2020-01-01T00-00-00.000Z.log"), "old\n");
  await writeFile(join(folder, "audit-notes.log"), "not ours\n");
  const output = await openFileOutput(config, context());
  await output.deliver(outputBatch([outputEvent(0)]), signal);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await output.deliver(outputBatch([outputEvent(1)]), signal);
  await output.close();
  const names = (await readdir(folder)).sort();
  assert.equal(names.length, 3);
  assert.ok(names.includes("audit-notes.log") && names.includes("audit.log"));
  assert.ok(names.every((name) => name.endsWith(".log")));
});

test("a file that somebody moves away is begun anew", async () => {
  const config = await newConfig();
  const output = await openFileOutput(config, context());
  await output.deliver(outputBatch([outputEvent(0)]), signal);
  await rename(config.path, `${config.path}.1`);
  await output.deliver(outputBatch([outputEvent(1)]), signal);
  await output.close();
  assert.match(await readFile(`${config.path}.1`, "utf8"), /"id-0"/);
  assert.match(await readFile(config.path, "utf8"), /^\{[^\n]*"id-1"[^\n]*\n$/);
});

test("a file that was there before is gone on with, on a new line", async () => {
  const config = await newConfig();
  await mkdir(join(config.path, ".."), { recursive: true });
  await writeFile(config.path, "unfinished");
  const output = await openFileOutput(config, context());
  await output.deliver(outputBatch([outputEvent(0)]), signal);
  await output.close();
  assert.match(await readFile(config.path, "utf8"), /^unfinished\n\{[^\n]*"id-0"[^\n]*\n$/);
});

test("a crash just after somebody has moved the file writes no event twice", async () => {
  const config = await newConfig();
  const pipeline = new SavedPipeline();
  const open = () => pipeline.open((context) => openFileOutput(config, context));
  await open();
  await pipeline.deliver(1);
  await rename(config.path, `${config.path}.1`);
  await pipeline.deliver(1);
  await open();
  await pipeline.deliver(2);
  await pipeline.close();
  assert.deepEqual((await readFile(config.path, "utf8")).match(/id-\d/g), ["id-1", "id-2"]);
});
