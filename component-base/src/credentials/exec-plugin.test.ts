import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import type { ExecPluginConfig } from "../kubeconfig/client-config.js";
import { issueCertificate } from "../pki/issue-certificate.js";
import { openExecPlugin } from "./exec-plugin.js";
import { type ProgramToRun, runProgram } from "./run-program.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-exec-"));
after(() => rmSync(folder, { recursive: true }));

const v1 = "client.authentication.k8s.io/v1";
const config: ExecPluginConfig = {
  apiVersion: v1,
  command: "login",
  args: ["--now"],
  env: [{ name: "REGION", value: "eu" }],
  interactiveMode: "IfAvailable",
};
const printed = (status: unknown, apiVersion: string = v1) =>
  JSON.stringify({ apiVersion, kind: "ExecCredential", status });

/** A plugin whose program prints these one after the other, and what it was run with. */
function scripted(outputs: readonly string[], changes: Partial<ExecPluginConfig> = {}) {
  const runs: ProgramToRun[] = [];
  let time = Date.UTC(2030, 0, 1);
  const plugin = openExecPlugin(
    { ...config, ...changes },
    {
      run: async (program) => outputs[runs.push(program) - 1] ?? assert.fail("run too often"),
      now: () => time,
      isTerminal: () => false,
    },
  );
  return {
    plugin,
    runs,
    setTime: (iso: string) => {
      time = Date.parse(iso);
    },
  };
}

describe("A credential plugin", () => {
  test("is run with what the kubeconfig says, and told of the cluster if it wants to know", async () => {
    const cluster = { server: "https://c.example", config: { audience: "a" } };
    const { plugin, runs } = scripted([printed({ token: "t" })], { cluster, installHint: "get it" });
    assert.deepEqual(await plugin.credentials(), { token: "t" });
    const spec = { cluster, interactive: false };
    const info = JSON.stringify({ kind: "ExecCredential", apiVersion: v1, spec });
    assert.deepEqual(runs, [
      {
        command: "login",
        args: ["--now"],
        environment: { REGION: "eu", KUBERNETES_EXEC_INFO: info },
        inheritInput: false,
        timeoutMs: 60_000,
        installHint: "get it",
      },
    ]);
  });

  test("is not run again before its credentials expire or are refused, nor twice at a time", async () => {
    const { plugin, runs, setTime } = scripted([
      printed({ token: "1", expirationTimestamp: "2030-01-01T00:10:00Z" }),
      printed({ token: "2" }),
      printed({ token: "3" }),
    ]);
    assert.deepEqual(await Promise.all([plugin.credentials(), plugin.credentials()]), [{ token: "1" }, { token: "1" }]);
    setTime("2030-01-01T00:10:00Z");
    assert.deepEqual(await plugin.credentials(), { token: "1" });
    setTime("2030-01-01T00:10:01Z");
    assert.deepEqual(await plugin.credentials(), { token: "2" });
    setTime("2040-01-01T00:10:01Z");
    assert.deepEqual(await plugin.credentials(), { token: "2" });
    plugin.refused();
    assert.deepEqual(await plugin.credentials(), { token: "3" });
    assert.equal(runs.length, 3);
  });

  test("may print YAML, and give a certificate", async () => {
    const { certificatePem, keyPem } = await issueCertificate({
      subject: { kind: "authority", commonName: "jane" },
      notBefore: new Date(),
      notAfter: new Date(Date.now() + 1000),
    });
    const status = { clientCertificateData: certificatePem, clientKeyData: keyPem };
    const yaml = `apiVersion: client.authentication.k8s.io/v1beta1\nkind: ExecCredential\nstatus: ${JSON.stringify(status)}`;
    const { plugin } = scripted([yaml], { apiVersion: "client.authentication.k8s.io/v1beta1" });
    assert.deepEqual(await plugin.credentials(), { clientCertificate: { certificatePem, keyPem } });
  });

  const answers: readonly [what: string, output: string, message: string][] = [
    ["nothing", "", "decoding stdout: the kind is not ExecCredential"],
    ["no document", "{", "decoding stdout: neither JSON nor YAML"],
    ["another kind", '{"kind":"Pod"}', "decoding stdout: the kind is not ExecCredential"],
    [
      "another version",
      printed({ token: "t" }, "client.authentication.k8s.io/v1beta1"),
      "exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin returned version client.authentication.k8s.io/v1beta1",
    ],
    ["no status", printed(undefined), "exec plugin didn't return a status field"],
    ["an empty status", printed({}), "exec plugin didn't return a token or cert/key pair"],
    ["half a pair", printed({ clientKeyData: "k" }), "exec plugin returned only certificate or key, not both"],
    [
      "a broken pair",
      printed({ clientKeyData: "k", clientCertificateData: "c" }),
      "failed parsing client key/certificate",
    ],
    ["a token that is none", printed({ token: 1 }), "decoding stdout: token is not a string"],
    [
      "a time that is none",
      printed({ token: "t", expirationTimestamp: "x" }),
      "decoding stdout: expirationTimestamp is not a time",
    ],
  ];
  for (const [what, output, message] of answers) {
    test(`that prints ${what} is told so`, async () => {
      await assert.rejects(scripted([output]).plugin.credentials(), { message });
    });
  }

  test("that must talk to a person does not run where there is none", async () => {
    const { plugin, runs } = scripted([], { interactiveMode: "Always" });
    await assert.rejects(plugin.credentials(), {
      message: "exec plugin cannot support interactive mode: standard input is not a terminal",
    });
    assert.deepEqual(runs, []);
  });
});

describe("A program", () => {
  const script = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const run = (command: string, more: Partial<ProgramToRun> = {}) =>
    runProgram({ command, args: [], environment: {}, inheritInput: false, timeoutMs: 20_000, ...more });

  test("gets its arguments and environment, and nothing to read", async () => {
    const command = script("echo", 'cat; printf "%s %s" "$1" "$REGION"');
    assert.equal(await run(command, { args: ["a b"], environment: { REGION: "eu" } }), "a b eu");
  });

  test("that fails, is missing, prints too much or does not end is told in client-go's words", async () => {
    const failing = script("failing", "echo secret; exit 3");
    await assert.rejects(run(failing), { message: `exec: executable ${failing} failed with exit code 3` });
    await assert.rejects(run("/no/such", { installHint: "get it" }), {
      message: "exec: executable /no/such not found\n\nget it",
    });
    const endless = script("endless", "exec yes");
    await assert.rejects(run(endless), { message: `exec: executable ${endless} printed more than 1048576 bytes` });
    const pidFile = join(folder, "pid");
    const stuck = script("stuck", `echo $$ > ${pidFile}; trap "" TERM; while :; do sleep 1; done`);
    await assert.rejects(run(stuck, { timeoutMs: 300 }), {
      message: `exec: executable ${stuck} did not end within 300 ms`,
    });
    assert.throws(() => process.kill(Number(readFileSync(pidFile, "utf8")), 0), { code: "ESRCH" });
  });
});
