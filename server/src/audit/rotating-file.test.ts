import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { RotatingFile } from "./rotating-file.js";

const parent = await mkdtemp(join(tmpdir(), "rotating-file-"));
after(() => rm(parent, { recursive: true }));
let count = 0;

const megabyte = 1024 * 1024;
const errors: unknown[] = [];
const options = {
  maxMegabytes: 1,
  maxAgeDays: 0,
  maxBackups: 0,
  compress: false,
  onError: (error: unknown): void => void errors.push(error),
};

function newPath(): string {
  return join(parent, String(count++), "audit.log");
}

/** A line of about this length that begins with a name. */
function line(name: string, bytes: number): Buffer {
  return Buffer.from(`${name}${" ".repeat(bytes - name.length - 1)}\n`);
}

async function asideOf(path: string): Promise<readonly string[]> {
  const names = await readdir(join(path, ".."));
  return names.filter((name) => name !== "audit.log").sort();
}

test("a file is made for its owner alone, and goes on when it is there", async () => {
  const path = newPath();
  const first = await RotatingFile.open(path, options);
  await first.write(Buffer.from("a\n"));
  await first.close();
  const second = await RotatingFile.open(path, options);
  await second.write(Buffer.from("b\n"));
  await second.close();
  assert.equal(await readFile(path, "utf8"), "a\nb\n");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(join(path, ".."))).mode & 0o777, 0o700);
});

test("a full file is put aside under the time, and no line is divided", async () => {
  const path = newPath();
  const file = await RotatingFile.open(path, options);
  await file.write(Buffer.concat([line("a", megabyte / 2), line("b", megabyte / 2), line("c", 100)]));
  await file.write(line("d", megabyte));
  await file.close();
  const aside = await asideOf(path);
  assert.equal(aside.length, 2);
  assert.match(aside[0] ?? "", /^audit-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}\.log$/);
  const texts = await Promise.all(aside.map((name) => readFile(join(path, "..", name), "utf8")));
  assert.deepEqual(
    texts.map((text) =>
      text
        .trimEnd()
        .split("\n")
        .map((each) => each[0]),
    ),
    [["a", "b"], ["c"]],
  );
  assert.equal((await readFile(path, "utf8"))[0], "d");
});

test("a line that is larger than a file may be stands alone in one", async () => {
  const path = newPath();
  const file = await RotatingFile.open(path, options);
  await file.write(line("a", 10));
  await file.write(line("b", 2 * megabyte));
  await file.write(line("c", 10));
  await file.close();
  assert.equal((await asideOf(path)).length, 2);
  assert.equal((await readFile(path, "utf8"))[0], "c");
});

test("old files are packed, and removed when there are too many or they are too old", async () => {
  const path = newPath();
  await (await RotatingFile.open(path, options)).close();
  const old = join(path, "..", "audit-2020-01-01T00-00-00.000.log");
  await writeFile(old, "old\n");
  await utimes(old, new Date(), new Date());
  await writeFile(join(path, "..", "audit-other.log"), "not ours\n");
  const file = await RotatingFile.open(path, { ...options, maxAgeDays: 30, maxBackups: 2, compress: true });
  for (const name of ["a", "b", "c", "d"]) {
    await file.write(line(name, megabyte));
  }
  await file.close();
  const aside = await asideOf(path);
  assert.deepEqual(
    aside.map((name) => name.replace(/\d/g, "0")),
    ["audit-0000-00-00T00-00-00.000.log.gz", "audit-0000-00-00T00-00-00.000.log.gz", "audit-other.log"],
  );
  const packed = gunzipSync(await readFile(join(path, "..", aside[1] ?? ""))).toString();
  assert.equal(packed[0], "c");
  assert.deepEqual(errors, []);
});
