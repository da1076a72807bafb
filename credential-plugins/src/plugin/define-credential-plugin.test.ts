import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { defineFlags } from "@gatehouse/component-base/flags";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { CredentialError } from "./credential-error.js";
import type { ObtainedCredential } from "./credential-source.js";
import { defineCredentialPlugin } from "./define-credential-plugin.js";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-plugin-"));
});
after(async () => await rm(folder, { recursive: true, force: true }));

let obtain: () => Promise<ObtainedCredential>;
let logins = 0;

/** Each run is a login of its own: nothing is in the cache. */
async function run(): Promise<{ code: number; stdout: string; stderr: string }> {
  const plugin = defineCredentialPlugin({
    name: "badge",
    summary: "Reads a badge.",
    version: "1.0.0",
    flags: defineFlags({ reader: { type: "string", default: "usb0", group: "Login", help: "Reader to ask." } }),
    configure: async ({ reader }) => ({ cacheKey: [reader, ++logins], obtain: () => obtain() }),
  });
  let [stdout, stderr] = ["", ""];
  const code = await plugin.run([`--cache-dir=${folder}`], {
    print: (line) => {
      stdout += `${line}\n`;
    },
    printError: (line) => {
      stderr += `${line}\n`;
    },
    process: thisProcess,
    env: {
      KUBERNETES_EXEC_INFO: JSON.stringify({
        kind: "ExecCredential",
        apiVersion: "client.authentication.k8s.io/v1",
        spec: { interactive: false },
      }),
    },
    stdinIsTerminal: false,
    stderrIsTerminal: false,
  });
  return { code, stdout, stderr };
}

test("a credential without an end is answered without one", async () => {
  obtain = async () => ({ credential: { token: "t" } });
  assert.deepEqual(await run(), {
    code: 0,
    stdout:
      '{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","spec":{"interactive":false},"status":{"token":"t"}}\n',
    stderr: "",
  });
});

test("what no client could use is not answered with", async () => {
  const cases: readonly [ObtainedCredential["credential"], string][] = [
    [{}, "there is neither a token nor a certificate to answer with"],
    [{ token: "" }, "the token is empty, or has characters that a header cannot carry"],
    [{ token: "a\r\nX-Remote-User: root" }, "the token is empty, or has characters that a header cannot carry"],
    [
      { clientCertificate: { certificatePem: "c", keyPem: "k" } },
      "the certificate and the key cannot be read, or do not belong together",
    ],
    [{ token: "t", expiresAt: Number.NaN }, "the credential expires at no time that there is"],
    [{ token: "t", expiresAt: 0 }, "the new credential has expired already; is the clock of this machine right?"],
  ];
  for (const [credential, message] of cases) {
    obtain = async () => ({ credential });
    assert.deepEqual(await run(), { code: 1, stdout: "", stderr: `badge: ${message}\n` });
  }
});

test("a reason is told; of an error that nobody foresaw only its name and place, since its text may quote a token", async () => {
  obtain = () => Promise.reject(new CredentialError("the badge is unknown"));
  assert.deepEqual(await run(), { code: 1, stdout: "", stderr: "badge: the badge is unknown\n" });
  obtain = async () => JSON.parse("eyJhbGciOi-a-secret");
  const { code, stdout, stderr } = await run();
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  assert.match(stderr, /^badge: unexpected SyntaxError +at [^\n]*\n$/);
  assert.equal(stderr.includes("secret"), false);
});
