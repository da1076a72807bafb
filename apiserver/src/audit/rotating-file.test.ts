import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { forEachCrash, MortalProcess } from "@gatehouse/testing/crash";
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

test("a file that somebody moves or removes does not keep the next one from being put aside", async () => {
  const path = newPath();
  const file = await RotatingFile.open(path, options);
  await file.write(line("a", megabyte));
  await rename(path, `${path}.moved`);
  await file.write(line("b", megabyte));
  await file.write(line("c", 100));
  await file.close();
  assert.match(await readFile(path, "utf8"), /^c +\n$/);
  assert.equal((await asideOf(path)).length, 2);
});

test("a clock that is set back does not make the newest file the oldest", async (t) => {
  const path = newPath();
  t.mock.timers.enable({ apis: ["Date"], now: Date.parse("2026-11-22T12:00:00Z") });
  const file = await RotatingFile.open(path, { ...options, maxBackups: 2 });
  for (const name of ["a", "b", "c", "d"]) {
    await file.write(line(name, megabyte));
    t.mock.timers.setTime(Date.now() - 3_600_000);
  }
  await file.close();
  const aside = await asideOf(path);
  const texts = await Promise.all(aside.map((name) => readFile(join(path, "..", name), "utf8")));
  assert.deepEqual(
    texts.map((text) => text[0]),
    ["b", "c"],
  );
});

test("a line that was cut short stands alone", async () => {
  const path = newPath();
  await (await RotatingFile.open(path, options)).close();
  await writeFile(path, "whole\ncut sho");
  const file = await RotatingFile.open(path, options);
  await file.write(Buffer.from("next\n"));
  await file.close();
  assert.equal(await readFile(path, "utf8"), "whole\ncut sho\nnext\n");
});

test("killed at any change of its disk, it keeps every line that it has written, once", async () => {
  const small = { ...options, maxMegabytes: 25 / megabyte, compress: true };
  const lives = await forEachCrash(async (point) => {
    const path = newPath();
    const written: string[] = [];
    await using mortal = new MortalProcess(point);
    const outcome = await mortal.run(async () => {
      const file = await RotatingFile.open(path, small);
      for (let n = 0; n < 6; n++) {
        await file.write(line(`line-${n}`, 10));
        written.push(`line-${n}`);
      }
      await file.close();
    });
    const file = await RotatingFile.open(path, small);
    await file.write(line("last", 10));
    await file.close();
    const texts = await Promise.all(
      [...(await asideOf(path)), "audit.log"].map(async (name) => {
        const bytes = await readFile(join(path, "..", name));
        return (name.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
      }),
    );
    const lines = texts.join("").split("\n").slice(0, -1);
    // One may have been written whole, or in part, when the process ended.
    const answered = lines.filter((text) => text.length === 9).map((text) => text.trim());
    assert.deepEqual(answered.slice(0, written.length), written, JSON.stringify(point));
    assert.ok(answered.length - written.length <= 2, JSON.stringify(point));
    assert.equal(answered.at(-1), "last");
    return outcome;
  });
  assert.ok(lives > 30, String(lives));
});
