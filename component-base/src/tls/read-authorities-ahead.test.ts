import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const module = JSON.stringify(new URL("read-authorities-ahead.js", import.meta.url).href);

test("a program that has its authorities read ahead makes contexts of TLS meanwhile, and ends as before", async () => {
  const program = `
    import { createSecureContext, rootCertificates } from "node:tls";
    import { readAuthoritiesAhead } from ${module};
    readAuthoritiesAhead();
    readAuthoritiesAhead();
    createSecureContext({ ca: rootCertificates[0] });
    console.log("made");`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  assert.deepEqual([stdout, stderr], ["made\n", ""]);
});
