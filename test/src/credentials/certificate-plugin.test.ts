import assert from "node:assert/strict";
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AuthenticationV1Api, KubeConfig } from "@kubernetes/client-node";
import { type KubectlShell, openKubectlShell } from "../support/kubectl-shell.js";
import { findKubectls } from "../support/kubectls.js";
import { certificatePluginScript } from "../support/programs.js";
import { startTestServer, type TestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

const kubectls = (await findKubectls()).filter(({ minor }) => minor >= 28);
const newest = kubectls.at(-1);
// `kubectl auth whoami` came with 1.28.
const skip = newest === undefined && "kubectl 1.28 or newer is needed for this";

let folder: string;
let server: TestServer;
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
  shell = await openKubectlShell(newest, server.kubeconfigPath);
  await copyFile(server.kubeconfigPath, file("kubeconfig"));
  const program = `--command='${certificatePluginScript}' --kubeconfig='${file("kubeconfig")}' --use --user-name=jane`;
  const certificate = `--bootstrap-kubeconfig='${server.kubeconfigPath}' --cache-dir='${file("cache")}' --user=jane --groups=dev`;
  await shell.run(`'${process.execPath}' '${certificatePluginScript}' setup ${program} ${certificate}`);
});
after(async () => {
  await shell?.[Symbol.asyncDispose]();
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
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
