import assert from "node:assert/strict";
import { copyFileSync, rmSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runCommands } from "@gatehouse/component-base/commands";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { verifyLog } from "../completeness/verify-log.js";
import { openAuditLog } from "../log/audit-log.js";
import { batchOf } from "../log/log.test.support.js";
import { commands } from "./commands.js";

const root = await mkdtemp(join(tmpdir(), "gatehouse-verify-"));
after(() => rm(root, { recursive: true }));

async function verify(...argv: readonly string[]): Promise<readonly (string | number)[]> {
  const out: string[] = [];
  const print = (line: string): void => void out.push(line.replaceAll(root, "ROOT").replace(/\/log-\w+/, "/LOG"));
  const io = { print, printError: print, process: thisProcess, env: {} };
  const code = await runCommands({ name: "gatehouse-audit", commands }, ["verify", ...argv], io);
  return [code, ...out];
}

/** A log with two events in each of its segments, as given. */
async function logOf(batches: readonly Parameters<typeof batchOf>[]): Promise<string> {
  const directory = await mkdtemp(join(root, "log-"));
  await using log = await openAuditLog({ directory, segmentBytes: 100 });
  for (const batch of batches) {
    await log.append(batchOf(...batch));
  }
  return directory;
}

const letters: readonly Parameters<typeof batchOf>[] = [[["aa", "ab"]], [["ba", "bb"]], [["ca", "cb"]]];

async function alter(directory: string, segment: number, from: string, to: string): Promise<void> {
  const name = (await readdir(directory)).sort()[segment] as string;
  const bytes = await readFile(join(directory, name));
  bytes.write(to, bytes.lastIndexOf(from));
  await writeFile(join(directory, name), bytes);
}

const unnumbered = (events: number) =>
  `${events} events came without numbers: whether others are missing beside them cannot be told`;

test("a whole log is proved whole; its chain proves later that it is still the same", async () => {
  const directory = await logOf(letters);
  const [code, ...lines] = await verify("--log-directory", directory);
  const chain = String(lines.at(-1)).replace("chain ", "");
  assert.match(chain, /^[0-9a-f]{64}$/);
  assert.deepEqual([code, ...lines], [0, unnumbered(6), "positions 0 to 5: whole and unaltered", `chain ${chain}`]);
  assert.equal((await verify("--log-directory", directory, "--expect-chain", chain))[0], 0);
  const other = await verify("--log-directory", directory, "--expect-chain", "00".repeat(32));
  assert.deepEqual(other, [
    1,
    `the chain is not the expected one, but ${chain}`,
    unnumbered(6),
    "positions 0 to 5: NOT whole",
    `chain ${chain}`,
  ]);
});

test("an altered event is told by its position, and only that", async () => {
  const directory = await logOf(letters);
  await alter(directory, 1, "bb", "bx");
  const [code, fault, , range] = await verify("--log-directory", directory);
  assert.deepEqual(
    [code, fault, range],
    [
      1,
      "position 3: the event has been altered (ROOT/LOG/00000000000000000002.segment, byte 64)",
      "positions 0 to 5: NOT whole",
    ],
  );
});

test("an event that was altered together with its digest breaks the chain", async () => {
  const directory = await logOf(letters);
  const donor = await logOf([[["aa", "ab"]], [["bx", "bb"]], [["ca", "cb"]]]);
  const name = "00000000000000000002.segment";
  await writeFile(join(directory, name), await readFile(join(donor, name)));
  assert.deepEqual((await verify("--log-directory", directory)).slice(0, 2), [
    1,
    "position 4: its head does not follow from the segment before (ROOT/LOG/00000000000000000004.segment, byte 0)",
  ]);
});

test("a segment that is gone is told with its positions", async () => {
  const directory = await logOf(letters);
  await rm(join(directory, "00000000000000000002.segment"));
  assert.deepEqual((await verify("--log-directory", directory)).slice(0, 2), [
    1,
    "position 2: the events from position 2 to 3 are missing (ROOT/LOG/00000000000000000004.segment, byte 0)",
  ]);
});

test("the oldest segment is missed when somebody else than the sink has deleted it", async () => {
  const directory = await logOf(letters);
  await rm(join(directory, "00000000000000000000.segment"));
  assert.deepEqual((await verify("--log-directory", directory)).slice(0, 2), [
    1,
    "position 0: the events from position 0 to 1 are missing, and the sink has not deleted them (ROOT/LOG, byte 0)",
  ]);
});

test("files beside the log show that its end is missing, and are named when they are damaged", async () => {
  const directory = await logOf(letters);
  const index = await mkdtemp(join(root, "index-"));
  await mkdir(join(directory, "pipelines"));
  await writeFile(join(directory, "sources.json"), '{"position":6,"sources":[]}');
  await writeFile(join(directory, "pipelines", "archive.json"), '{"position":6}');
  await writeFile(join(index, "0000000000000000-0000000000000006.chunk"), "");
  const flags = ["--log-directory", directory, "--index-directory", index];
  assert.equal((await verify(...flags))[0], 0);
  // Whoever takes away the end of the log may take away the mark with it.
  await rm(join(directory, "00000000000000000004.segment"));
  await rm(join(directory, "acknowledged.mark"));
  const [code, ...faults] = (await verify(...flags)).slice(0, 5);
  assert.deepEqual(
    [code, ...faults.map((fault) => String(fault).replace(/index-\w+/, "INDEX"))],
    [
      1,
      "position 4: the record of what was acknowledged is missing; whether the end is cut off is unknown (ROOT/LOG/acknowledged.mark, byte 0)",
      "position 4: the log ends here, but had reached position 6 (ROOT/LOG/sources.json, byte 0)",
      "position 4: the log ends here, but had reached position 6 (ROOT/LOG/pipelines/archive.json, byte 0)",
      "position 4: the log ends here, but had reached position 6 (ROOT/INDEX/0000000000000000-0000000000000006.chunk, byte 0)",
    ],
  );
  const whole = await logOf(letters);
  await writeFile(join(whole, "sources.json"), '{"position":');
  assert.deepEqual((await verify("--log-directory", whole)).slice(0, 2), [
    1,
    "position 6: the file beside the log is damaged (ROOT/LOG/sources.json, byte 0)",
  ]);
  assert.deepEqual(await verify("--log-directory", whole, "--index-directory", join(root, "none")), [
    1,
    "gatehouse-audit: flags: --index-directory: cannot be read (ENOENT)",
  ]);
});

test("a log may be verified while the sink deletes its oldest segments", async () => {
  const [directory, shortened] = [await logOf(letters), await logOf(letters)];
  {
    await using log = await openAuditLog({ directory: shortened, segmentBytes: 100 });
    await log.deleteOldest();
    await log.deleteOldest();
  }
  const { faults, end } = await verifyLog(directory, {
    onBatch({ position }) {
      // By now the segments have been listed, and the second one has not been opened.
      if (position === 0) {
        copyFileSync(join(shortened, "acknowledged.mark"), join(directory, "acknowledged.mark"));
        rmSync(join(directory, "00000000000000000000.segment"));
        rmSync(join(directory, "00000000000000000002.segment"));
      }
    },
  });
  assert.deepEqual([faults, end], [[], 6]);
});

test("the only segment is missed when it has been deleted", async () => {
  const directory = await logOf([[["aa", "ab"]]]);
  await rm(join(directory, "00000000000000000000.segment"));
  assert.deepEqual((await verify("--log-directory", directory)).slice(0, 2), [
    1,
    "position 0: events up to position 1 were acknowledged, but the log ends before position 0 (ROOT/LOG/acknowledged.mark, byte 0)",
  ]);
});

test("ranges that reach beyond what is kept are not whole", async () => {
  const directory = await logOf(letters);
  {
    await using log = await openAuditLog({ directory, segmentBytes: 100 });
    await log.deleteOldest();
  }
  assert.equal((await verify("--log-directory", directory))[0], 0);
  assert.equal((await verify("--log-directory", directory, "--from", "2", "--to", "5"))[0], 0);
  assert.deepEqual((await verify("--log-directory", directory, "--from", "0", "--to", "7")).slice(0, 3), [
    1,
    "position 0: the events from position 0 to 1 are not kept",
    "position 6: the log ends before position 7",
  ]);
});

test("a range without events and a hash that is none are refused", async () => {
  const directory = await logOf(letters);
  for (const [argv, problem] of [
    [["--from", "5", "--to", "5"], "--to: must be greater than --from"],
    [["--expect-chain", "abc"], "--expect-chain: must be 64 hexadecimal digits"],
  ] as const) {
    assert.deepEqual(await verify("--log-directory", directory, ...argv), [1, `gatehouse-audit: flags: ${problem}`]);
  }
});

test("numbers that are missing are told by source", async () => {
  const directory = await logOf([
    [["a", "b"], { source: "server-1", sequence: 5, received: 2 }],
    [["c"], { source: "server-1", sequence: 10, received: 2 }],
    [["d"], { source: "server-2", sequence: 0, received: 1 }],
  ]);
  assert.deepEqual((await verify("--log-directory", directory)).slice(0, 3), [
    1,
    'source "server-1" of sender "cluster-a": numbers 7 to 9 missing',
    "positions 0 to 3: NOT whole",
  ]);
});

test("an unfinished end is no fault, an unreadable middle is", async () => {
  const directory = await logOf(letters);
  const last = join(directory, "00000000000000000004.segment");
  await writeFile(last, "\x05\0\0\0", { flag: "a" });
  assert.deepEqual((await verify("--log-directory", directory)).slice(0, 2), [
    0,
    "4 bytes behind position 6 are not finished, and were never acknowledged",
  ]);
  const middle = join(directory, "00000000000000000002.segment");
  const bytes = await readFile(middle);
  bytes.writeUInt32LE(7, 64);
  await writeFile(middle, bytes);
  assert.deepEqual((await verify("--log-directory", directory)).slice(0, 3), [
    1,
    "position 2: no whole batch begins here (ROOT/LOG/00000000000000000002.segment, byte 64)",
    "position 2: the events from position 2 to 3 are missing (ROOT/LOG/00000000000000000004.segment, byte 0)",
  ]);
});

test("a folder that cannot be read is told in one line", async () => {
  assert.deepEqual(await verify("--log-directory", join(root, "none")), [
    1,
    "gatehouse-audit: flags: --log-directory: cannot be read (ENOENT)",
  ]);
  assert.deepEqual(await verify(), [1, "gatehouse-audit: flags: --log-directory: is required"]);
});
