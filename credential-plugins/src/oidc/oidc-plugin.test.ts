import assert from "node:assert/strict";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { decodeJwt } from "jose";
import { visit } from "./browser.test.support.js";
import { oidcPlugin } from "./oidc-plugin.js";
import { startTestProvider, type TestProvider } from "./provider.test.support.js";

let provider: TestProvider;
let folder: string;
let caFile: string;

before(async () => {
  provider = await startTestProvider();
});
after(async () => await provider[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-oidc-"));
  caFile = join(folder, "ca.crt");
  await writeFile(caFile, provider.certificateAuthorityPem);
});

const execInfo = (interactive: boolean, apiVersion = "v1") =>
  JSON.stringify({
    kind: "ExecCredential",
    apiVersion: `client.authentication.k8s.io/${apiVersion}`,
    spec: { interactive },
  });

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the plugin in this process, with a browser that visits what it is asked to. */
async function run(argv: readonly string[], info: string | undefined = execInfo(true)): Promise<Run> {
  let [stdout, stderr] = ["", ""];
  const flags = [`--issuer-url=${provider.issuer}`, `--ca-file=${caFile}`, `--cache-dir=${join(folder, "cache")}`];
  const word = argv[0]?.startsWith("-") === false ? argv.slice(0, 1) : [];
  const visits: Promise<unknown>[] = [];
  const code = await oidcPlugin.run([...word, ...flags, "--open-browser=false", ...argv.slice(word.length)], {
    print: (line) => {
      stdout += `${line}\n`;
    },
    printError: (line) => {
      stderr += `${line}\n`;
      const [, address] = /^To log in, open this address in a browser on this machine:\n {2}(.*)$/.exec(line) ?? [];
      if (address !== undefined) {
        visits.push(visit(address, provider.certificateAuthorityPem));
      }
    },
    process,
    env: info === undefined ? {} : { KUBERNETES_EXEC_INFO: info },
    stdinIsTerminal: false,
    stderrIsTerminal: false,
  });
  await Promise.all(visits);
  return { code, stdout, stderr };
}

test("a person logs in with a browser, and the answer is an ID token that was verified", async () => {
  const { code, stdout, stderr } = await run(["--client-id=kubectl"]);
  assert.equal(code, 0, stderr);
  const answer = JSON.parse(stdout);
  const claims = decodeJwt(answer.status.token);
  assert.equal(claims.sub, "alice");
  assert.equal(claims.aud, "kubectl");
  const expiresAt = new Date(((claims.exp ?? 0) - 60) * 1000).toISOString().replace(".000Z", "Z");
  assert.deepEqual(answer, {
    kind: "ExecCredential",
    apiVersion: "client.authentication.k8s.io/v1",
    spec: { interactive: true },
    status: { expirationTimestamp: expiresAt, token: answer.status.token },
  });
});
