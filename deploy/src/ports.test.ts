import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openPorts } from "./ports.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-ports-"));
after(() => rmSync(folder, { recursive: true }));
const path = join(folder, "ports.json");
const quiet = (sentence: string) => assert.fail(sentence);

test("a process gets the port of the last start again, and another process never gets that one", async () => {
  const first = await openPorts(path, quiet);
  const [sink, admission] = [await first.claim("audit-sink"), await first.claim("admission")];
  assert.notEqual(sink, admission);
  await first.save();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const written = statSync(path).ino;

  const second = await openPorts(path, quiet);
  assert.deepEqual(await Promise.all([second.claim("audit-sink"), second.claim("admission")]), [sink, admission]);
  await second.save();
  assert.equal(statSync(path).ino, written, "nothing has changed, so nothing is written");
});

test("a port that another program has taken is replaced for good, and that is said", async () => {
  const { "audit-sink": taken, admission } = JSON.parse(readFileSync(path, "utf8"));
  const holder = createServer().listen(taken, "127.0.0.1");
  await once(holder, "listening");
  const notes: string[] = [];
  const ports = await openPorts(path, (sentence) => notes.push(sentence));
  const port = await ports.claim("audit-sink");
  holder.close();
  assert.notEqual(port, taken);
  assert.deepEqual(notes, [`Port ${taken} of the audit-sink process is in use; from now on it is ${port}.`]);
  await ports.save();
  assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { admission, "audit-sink": port });
});

test("a port that the API server is given now is not another process's any more", async () => {
  const { admission } = JSON.parse(readFileSync(path, "utf8"));
  const notes: string[] = [];
  const ports = await openPorts(path, (sentence) => notes.push(sentence));
  assert.equal(await ports.reserve(admission), admission);
  const port = await ports.claim("admission");
  assert.notEqual(port, admission);
  assert.deepEqual(notes, [`Port ${admission} of the admission process is in use; from now on it is ${port}.`]);
  assert.ok((await ports.reserve(0)) > 0);
});

test("a file that holds no ports is replaced", async () => {
  for (const text of ["", "{", "null", "[1]", '{"audit-sink": 0}', '{"audit-sink": 65536}', '{"audit-sink": "8443"}']) {
    writeFileSync(path, text);
    const ports = await openPorts(path, quiet);
    const port = await ports.claim("audit-sink");
    await ports.save();
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), { "audit-sink": port }, text);
  }
});
