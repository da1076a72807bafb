import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { writeKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { certificatePlugin } from "./certificate-plugin.js";
import { startTestCertificatesApi, type TestCertificatesApi } from "./certificates-api.test.support.js";

let api: TestCertificatesApi;
let folder: string;

before(async () => {
  api = await startTestCertificatesApi();
});
after(async () => await api[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-certificate-"));
  await writeKubeconfig(join(folder, "kubeconfig"), {
    clusterName: "test",
    server: api.url,
    certificateAuthorityPem: api.authority.certificatePem,
    userName: "admin",
    clientCertificatePem: api.admin.certificatePem,
    clientKeyPem: api.admin.keyPem,
  });
  api.calls.length = 0;
  api.posted.length = 0;
  api.forbidden.clear();
  Object.assign(api, { onGet: "approve", lifetimeMs: 86_400_000, losesAnswers: false });
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

async function run(...argv: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  let [stdout, stderr] = ["", ""];
  const flags = [`--bootstrap-kubeconfig=${join(folder, "kubeconfig")}`, `--cache-dir=${join(folder, "cache")}`];
  const code = await certificatePlugin.run([...flags, "--user=jane", "--groups=dev,ops", ...argv], {
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

async function cachePath(): Promise<string> {
  const [name = "", ...others] = await readdir(join(folder, "cache"));
  assert.deepEqual(others, []);
  return join(folder, "cache", name);
}

/** The certificate ends within the time in which it is renewed. */
async function makeOld(): Promise<void> {
  const path = await cachePath();
  const entry = JSON.parse(await readFile(path, "utf8"));
  entry.obtainedAt -= 86_400_000;
  entry.credential.expiresAt = Date.now() + 60_000;
  await writeFile(path, JSON.stringify(entry));
}

test("a certificate is asked for, and answered with its key and when to come again", async () => {
  const { code, stdout, stderr } = await run("--duration=12h");
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  const { status, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, {
    kind: "ExecCredential",
    apiVersion: "client.authentication.k8s.io/v1",
    spec: { interactive: false },
  });
  assert.deepEqual(Object.keys(status), ["expirationTimestamp", "clientCertificateData", "clientKeyData"]);
  const certificate = new X509Certificate(status.clientCertificateData);
  assert.equal(certificate.subject, "O=dev\nO=ops\nCN=jane");
  assert.ok(certificate.checkPrivateKey(createPrivateKey(status.clientKeyData)));
  const renewAt = Date.parse(certificate.validTo) - 86_400_000 / 5;
  assert.ok(Math.abs(Date.parse(status.expirationTimestamp) - renewAt) < 5000);
  const [{ spec, metadata, ...posted } = {}] = api.posted;
  const { request, ...stated } = Object.assign({ request: "" }, spec);
  assert.match(Buffer.from(request, "base64").toString(), /^-----BEGIN CERTIFICATE REQUEST-----\n/);
  assert.deepEqual(posted, {
    apiVersion: "certificates.k8s.io/v1",
    kind: "CertificateSigningRequest",
  });
  assert.match(JSON.stringify(metadata), /^\{"name":"gatehouse-credential-[0-9a-f]{10}"\}$/);
  assert.deepEqual(stated, {
    signerName: "kubernetes.io/kube-apiserver-client",
    expirationSeconds: 43_200,
    usages: ["digital signature", "client auth"],
  });
  assert.equal((await stat(await cachePath())).mode & 0o777, 0o600);
  assert.equal((await run("--duration=12h")).stdout, stdout);
  assert.deepEqual(api.calls, ["admin POST", "admin GET"]);
});

test("a request that nobody approves is waited for, told of, and taken up by the next run", async () => {
  api.onGet = "leave";
  const toApprove = /approve it with: kubectl certificate approve gatehouse-credential-\w+\n/.source;
  const { code, stdout, stderr } = await run("--approval-timeout=1s");
  assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
  assert.match(
    stderr,
    new RegExp(
      `^Waiting for the approval of certificate signing request gatehouse-credential-\\w+; ${toApprove}gatehouse-credential-certificate: the certificate signing request gatehouse-credential-\\w+ waits for approval; ${toApprove}$`,
    ),
  );
  api.onGet = "approve";
  assert.equal((await run("--approval-timeout=60s")).code, 0);
  assert.equal(api.posted.length, 1);
});

test("a request of whose making nobody has heard is taken up by the next run", async () => {
  api.losesAnswers = true;
  const { code, stderr } = await run();
  assert.equal(code, 1);
  assert.match(stderr, /^gatehouse-credential-certificate: the API server cannot be asked for a certificate \(/);
  api.losesAnswers = false;
  assert.equal((await run()).code, 0);
  assert.equal(api.posted.length, 1);
});

test("a request that was denied or deleted is told of, and the next run makes another", async () => {
  api.onGet = "deny";
  const name = "gatehouse-credential-certificate: the certificate signing request gatehouse-credential-";
  assert.match((await run()).stderr, new RegExp(`^${name}\\w+ was denied \\(No: not today\\)\\n$`));
  api.onGet = "delete";
  assert.match((await run()).stderr, new RegExp(`^${name}\\w+ was deleted\\n$`));
  api.onGet = "approve";
  assert.equal((await run()).code, 0);
  assert.equal(api.posted.length, 3);
});

test("a certificate near its end renews itself, or is renewed by the one who asked first", async () => {
  await run();
  await makeOld();
  api.calls.length = 0;
  assert.equal((await run()).code, 0);
  assert.deepEqual(api.calls, ["jane POST", "jane GET"]);
  await makeOld();
  api.calls.length = 0;
  api.forbidden.add("jane");
  assert.equal((await run()).code, 0);
  assert.deepEqual(api.calls, ["jane POST", "admin POST", "jane GET", "admin GET"]);
});

test("while its renewal waits for approval, a certificate that holds is used", async () => {
  const first = await run();
  await makeOld();
  api.onGet = "leave";
  const second = await run();
  assert.equal(second.code, 0);
  const [before, now] = [first, second].map(({ stdout }) => JSON.parse(stdout).status);
  assert.equal(now.clientCertificateData, before.clientCertificateData);
  assert.ok(Date.parse(now.expirationTimestamp) <= Date.now() + 30_000);
});

test("who may not ask is told what the API server says", async () => {
  api.forbidden.add("admin");
  assert.deepEqual(await run(), {
    code: 1,
    stdout: "",
    stderr: 'gatehouse-credential-certificate: the API server answered 403: User "admin" cannot\n',
  });
});

test("a certificate that has ended already is not answered with", async () => {
  api.lifetimeMs = 0;
  const { code, stderr } = await run();
  assert.equal(code, 1);
  assert.equal(
    stderr,
    "gatehouse-credential-certificate: the new credential has expired already; is the clock of this machine right?\n",
  );
});

test("a context that logs in through this program itself is refused", async () => {
  await writeFile(
    join(folder, "kubeconfig"),
    JSON.stringify({
      clusters: [{ name: "c", cluster: { server: api.url } }],
      users: [
        {
          name: "u",
          user: {
            exec: {
              apiVersion: "client.authentication.k8s.io/v1",
              command: "gatehouse-credential-certificate",
              interactiveMode: "Never",
            },
          },
        },
      ],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    }),
  );
  const { code, stderr } = await run();
  assert.equal(code, 1);
  assert.match(stderr, /--bootstrap-context: logs in through this very program; name a context that does not\n$/);
});
