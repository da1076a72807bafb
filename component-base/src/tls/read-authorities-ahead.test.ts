import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const module = JSON.stringify(new URL("read-authorities-ahead.js", import.meta.url).href);

test("one thread reads the authorities of a program, which makes contexts of TLS meanwhile and ends as before", async () => {
  const program = `
    import { availableParallelism } from "node:os";
    import { createSecureContext, rootCertificates } from "node:tls";
    import { readAuthoritiesAhead } from ${module};
    let threads = 0;
    process.on("worker", () => threads++);
    readAuthoritiesAhead();
    readAuthoritiesAhead();
    createSecureContext({ ca: rootCertificates[0] });
    setImmediate(() => console.log(threads === (availableParallelism() === 1 ? 0 : 1)));`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  assert.deepEqual([stdout, stderr], ["true\n", ""]);
});
