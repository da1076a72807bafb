import "reflect-metadata"; // before the X.509 library, whose container looks for it
import assert from "node:assert/strict";
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { AuthenticationV1Api, KubeConfig } from "@kubernetes/client-node";
import { Pkcs10CertificateRequest } from "@peculiar/x509";
import { type KubectlShell, openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { certificatePluginScript } from "../support/programs.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const kubectls = (await findKubectls()).filter(({ minor }) => minor >= 28);
const newest = kubectls.at(-1);
// `kubectl auth whoami` came with 1.28.
const skip = newest === undefined && "kubectl 1.28 or newer is needed for this";

let folder: string;
let server: ControlPlane;
let shell: KubectlShell;

before(async () => {
  if (newest === undefined) {
    return;
  }
  folder = await mkdtemp(join(tmpdir(), "gatehouse-certificates-"));
  const file = (name: string): string => join(folder, name);
  server = await startTestServer({
    flagsFor: async ({ authority, caFile }) => {
      await writeFile(file("ca.key"), authority.keyPem, { mode: 0o600 });
      return [`--cluster-signing-cert-file=${caFile}`, `--cluster-signing-key-file=${file("ca.key")}`];
    },
  });
  shell = await openKubectlShell(newest, await server.kubeconfigFile());
  await setUp("kubeconfig", "jane", `--cache-dir='${file("cache")}' --groups=dev`);
});
after(async () => {
  await shell?.[Symbol.asyncDispose]();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Has the plugin write a kubeconfig in which somebody logs in by it. */
async function setUp(name: string, user: string, flags: string): Promise<string> {
  const kubeconfig = join(folder, name);
  await copyFile(await server.kubeconfigFile(), kubeconfig);
  const program = `--command='${certificatePluginScript}' --kubeconfig='${kubeconfig}' --use --user-name=${user}`;
  const certificate = `--bootstrap-kubeconfig='${await server.kubeconfigFile()}' --user=${user} ${flags}`;
  const { code, stderr } = await shell.run(
    `'${process.execPath}' '${certificatePluginScript}' setup ${program} ${certificate}`,
  );
  assert.equal(code, 0, stderr);
  return `kubectl --kubeconfig='${kubeconfig}' auth whoami -o jsonpath='{.status.userInfo.username}'`;
}

/** The requests in which somebody's certificate is asked for, oldest first. */
async function requestsFor(
  user: string,
): Promise<readonly { readonly name: string; readonly conditions: readonly string[] }[]> {
  const { body } = await server.client.requestJson({
    method: "GET",
    path: "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    signal: AbortSignal.timeout(30_000),
    timeoutMs: 30_000,
  });
  const { items } = body as { readonly items: readonly SigningRequest[] };
  return items
    .filter(({ spec }) => subjectOf(spec.request) === user)
    .map(({ metadata, status }) => ({
      name: metadata.name,
      conditions: (status.conditions ?? []).map(({ type }) => type),
    }));
}

interface SigningRequest {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly request: string };
  readonly status: { readonly conditions?: readonly { readonly type: string }[] };
}

function subjectOf(request: string): string | undefined {
  const { subjectName } = new Pkcs10CertificateRequest(Buffer.from(request, "base64").toString());
  return subjectName.getField("CN")[0];
}

const pendingRequestFor = (user: string) =>
  until(`a request for ${user} waits`, async () => {
    const waiting = (await requestsFor(user)).filter(({ conditions }) => conditions.length === 0);
    return waiting.length === 1 && (waiting[0]?.name ?? false);
  });

const asJane = (kubectl: string): string => `'${kubectl}' --kubeconfig='${join(folder, "kubeconfig")}'`;
const jane = `ATTRIBUTE   VALUE
Username    jane
Groups      [dev system:authenticated]
`;

test("kubectl waits while the plugin asks for a certificate, and goes on when it is approved", { skip }, async () => {
  const running = shell.start(`${asJane("kubectl")} auth whoami`);
  const approval = /approve it with: (kubectl certificate approve gatehouse-credential-\w+)\n/;
  const [, command = ""] = await until(
    "the plugin says how to approve",
    () => approval.exec(running.stderr()) ?? false,
  );
  await shell.ok(command);
  const { code, stdout, stderr } = await running.ended;
  assert.deepEqual({ code, stdout }, { code: 0, stdout: jane });
  assert.match(
    stderr,
    /^Waiting for the approval of certificate signing request gatehouse-credential-\w+; approve it .*\n$/,
  );
});

test("every kubectl, and @kubernetes/client-node, use the certificate while it holds", { skip }, async () => {
  const runs = await Promise.all(kubectls.map(({ path }) => shell.run(`${asJane(path)} auth whoami`)));
  assert.deepEqual(
    runs,
    runs.map(() => ({ code: 0, stdout: jane, stderr: "" })),
  );
  const config = new KubeConfig();
  config.loadFromFile(join(folder, "kubeconfig"));
  const { status } = await config
    .makeApiClient(AuthenticationV1Api)
    .createSelfSubjectReview({ body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" } });
  assert.equal(status?.userInfo?.username, "jane");
});

test("near its end the certificate asks for the next one itself, and is used until that is approved", {
  skip,
}, async () => {
  const cache = join(folder, "cache");
  const [name = ""] = await readdir(cache);
  const entry = JSON.parse(await readFile(join(cache, name), "utf8"));
  const before = entry.credential.clientCertificate.certificatePem;
  entry.obtainedAt = Date.now() - 86_400_000;
  entry.credential.expiresAt = Date.now() + 600_000;
  await writeFile(join(cache, name), JSON.stringify(entry));
  assert.equal((await shell.run(`${asJane("kubectl")} auth whoami`)).stdout, jane);
  const requests = await shell.ok(
    "kubectl get csr -o jsonpath='{range .items[*]}{.metadata.name} {.spec.username}{\"\\n\"}{end}'",
  );
  const [, renewal = ""] = /^(\S+) jane$/m.exec(requests) ?? [];
  await shell.ok(`kubectl certificate approve ${renewal}`);
  const waiting = JSON.parse(await readFile(join(cache, name), "utf8"));
  assert.equal(waiting.credential.clientCertificate.certificatePem, before);
  // As if the half minute between attempts were over.
  await writeFile(join(cache, name), JSON.stringify({ ...waiting, failure: undefined }));
  assert.equal((await shell.run(`${asJane("kubectl")} auth whoami`)).stdout, jane);
  const renewed = JSON.parse(await readFile(join(cache, name), "utf8"));
  assert.notEqual(renewed.credential.clientCertificate.certificatePem, before);
});

describe("Each login by itself", { concurrency: true, skip }, () => {
  test("of ten kubectls that start at once one asks for the certificate, and all get it", async () => {
    const whoami = await setUp("ten", "ann", `--cache-dir='${join(folder, "ten-cache")}'`);
    const running = Array.from({ length: 10 }, () => shell.start(whoami));
    await shell.ok(`kubectl certificate approve ${await pendingRequestFor("ann")}`);
    const results = await Promise.all(running.map(({ ended }) => ended));
    assert.deepEqual(
      results.map(({ code, stdout }) => ({ code, stdout })),
      results.map(() => ({ code: 0, stdout: "ann" })),
    );
    assert.equal((await requestsFor("ann")).length, 1);
    const cache = join(folder, "ten-cache");
    const files = (await readdir(cache)).filter((name) => name.endsWith(".json"));
    assert.equal(files.length, 1);
    assert.equal((await stat(join(cache, files[0] ?? ""))).mode & 0o777, 0o600);
    assert.equal((await stat(cache)).mode & 0o777, 0o700);
  });

  test("a denial is told, and the next run asks anew", async () => {
    const whoami = await setUp("denied", "bob", `--cache-dir='${join(folder, "denied-cache")}'`);
    const first = shell.start(whoami);
    const name = await pendingRequestFor("bob");
    await shell.ok(`kubectl certificate deny ${name}`);
    const { code, stderr } = await first.ended;
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`the certificate signing request ${name} was denied \\(KubectlDeny: `));
    const second = shell.start(whoami);
    await shell.ok(`kubectl certificate approve ${await pendingRequestFor("bob")}`);
    assert.equal((await second.ended).stdout, "bob");
  });

  test("where nobody signs, the approved request is told of", async () => {
    const flags = "--signer-name=example.com/nobody --approval-timeout=1s";
    const whoami = await setUp("unsigned", "eve", `--cache-dir='${join(folder, "unsigned-cache")}' ${flags}`);
    const unapproved = await shell.run(whoami);
    const name = await pendingRequestFor("eve");
    assert.ok(unapproved.stderr.includes(`the certificate signing request ${name} waits for approval; `));
    await shell.ok(`kubectl certificate approve ${name}`);
    const { code, stderr } = await shell.run(whoami);
    assert.equal(code, 1);
    const problem = `the certificate signing request ${name} is approved, and nobody has signed it for example.com/nobody`;
    assert.ok(stderr.includes(`gatehouse-credential-certificate: ${problem}\n`), stderr);
  });

  test("after a crash while it renews, the next run takes up the same request", async () => {
    const cache = join(folder, "crash-cache");
    const whoami = await setUp("crash", "kim", `--cache-dir='${cache}'`);
    const first = shell.start(whoami);
    await shell.ok(`kubectl certificate approve ${await pendingRequestFor("kim")}`);
    assert.equal((await first.ended).stdout, "kim");
    const entryPath = join(cache, (await readdir(cache)).find((name) => name.endsWith(".json")) ?? "");
    const entry = JSON.parse(await readFile(entryPath, "utf8"));
    const before = entry.credential.clientCertificate.certificatePem;
    await writeFile(
      entryPath,
      JSON.stringify({
        ...entry,
        obtainedAt: Date.now() - 86_400_000,
        credential: { ...entry.credential, expiresAt: Date.now() + 600_000 },
      }),
    );
    const renewing = shell.start(whoami);
    const name = await pendingRequestFor("kim");
    await renewing.stop("SIGKILL");
    await shell.ok(`kubectl certificate approve ${name}`);
    const after = await until("the new certificate is there", async () => {
      assert.equal((await shell.run(whoami)).stdout, "kim");
      const now = JSON.parse(await readFile(entryPath, "utf8")).credential.clientCertificate.certificatePem;
      return now !== before && now;
    });
    assert.match(after, /^-----BEGIN CERTIFICATE-----/);
    assert.equal((await requestsFor("kim")).length, 2);
  });
});
