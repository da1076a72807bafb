import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import { thisProcess } from "@gatehouse/component-base/shutdown";
import { pkiCommand } from "./pki-command.js";
import { writeDeploymentPki } from "./write-deployment-pki.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-deployment-pki-"));
const options = { directory: folder, apiServer: new URL("https://gatehouse.example.com:6443") };
before(() => writeDeploymentPki(options));
after(() => rmSync(folder, { recursive: true }));

const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const certificate = (path: string): X509Certificate => new X509Certificate(read(path));
const files = (): Record<string, readonly string[]> =>
  Object.fromEntries(readdirSync(folder).map((holder) => [holder, readdirSync(join(folder, holder)).sort()]));

test("everybody gets what they need in a folder of their own, and nothing else", () => {
  const server = ["processes-ca.crt", "tls.crt", "tls.key"];
  assert.deepEqual(files(), {
    administrator: ["admin", "super-admin"].flatMap((name) => [`${name}.crt`, `${name}.key`, `${name}.kubeconfig`]),
    admission: server,
    apiserver: [
      "admission.kubeconfig",
      "audit-sender.crt",
      "audit-sender.key",
      "audit-sink.kubeconfig",
      "authorization.kubeconfig",
      "cluster-ca.crt",
      "cluster-ca.key",
      "image-review.kubeconfig",
      "processes-ca.crt",
      "service-accounts.key",
      "tls.crt",
      "tls.key",
      "token-review.kubeconfig",
      "webhook-caller.crt",
      "webhook-caller.key",
    ],
    "audit-reader": ["audit-reader.crt", "audit-reader.key", "audit.kubeconfig"],
    "audit-sink": server,
    authorities: ["cluster-ca.crt", "cluster-ca.key", "processes-ca.crt", "processes-ca.key"],
    authorization: server,
    "image-review": server,
    "token-review": server,
  });
  for (const [holder, names] of Object.entries(files())) {
    assert.equal(statSync(join(folder, holder)).mode & 0o777, 0o700, holder);
    for (const name of names.filter((one) => /\.(key|kubeconfig)$/.test(one))) {
      assert.equal(statSync(join(folder, holder, name)).mode & 0o777, 0o600, `${holder}/${name}`);
    }
  }
});

test("the folder is its owner's alone, and those above it are left to others", async () => {
  const above = join(folder, "etc", "gatehouse");
  await writeDeploymentPki({ ...options, directory: join(above, "pki") });
  const modes = [above, join(above, "pki")].map((path) => statSync(path).mode & 0o077);
  rmSync(join(folder, "etc"), { recursive: true });
  assert.deepEqual(modes, [0o055 & ~process.umask(), 0]);
});

test("the key of the processes' authority is nobody's, and that of the cluster's is the API server's alone", () => {
  const holdersOf = (key: string): string[] =>
    Object.entries(files())
      .filter(([holder, names]) => names.some((name) => read(`${holder}/${name}`) === read(key)))
      .map(([holder]) => holder);
  assert.deepEqual(holdersOf("authorities/processes-ca.key"), ["authorities"]);
  assert.deepEqual(holdersOf("authorities/cluster-ca.key"), ["apiserver", "authorities"]);
});

test("processes and people are signed by different authorities, servers and clients for different uses", () => {
  const issuer = (path: string): string => certificate(path).issuer;
  assert.equal(issuer("administrator/admin.crt"), "CN=gatehouse-cluster");
  assert.equal(certificate("administrator/admin.crt").subject, "O=gatehouse:cluster-admins\nCN=kubernetes-admin");
  assert.equal(certificate("administrator/super-admin.crt").subject, "O=system:masters\nCN=kubernetes-super-admin");
  for (const path of ["apiserver/tls.crt", "apiserver/webhook-caller.crt", "audit-reader/audit-reader.crt"]) {
    assert.equal(issuer(path), "CN=gatehouse-processes", path);
  }
  assert.deepEqual(certificate("audit-sink/tls.crt").keyUsage, ["1.3.6.1.5.5.7.3.1"]);
  assert.deepEqual(certificate("apiserver/audit-sender.crt").keyUsage, ["1.3.6.1.5.5.7.3.2"]);
  assert.equal(
    certificate("apiserver/tls.crt").subjectAltName,
    "DNS:localhost, DNS:gatehouse-apiserver, DNS:gatehouse.example.com, DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, IP Address:127.0.0.1, IP Address:10.96.0.1",
  );
});

test("administrators have RSA keys, which every client library reads, and processes have EC keys", () => {
  const typesOf = (...paths: string[]) => paths.map((path) => certificate(path).publicKey.asymmetricKeyType);
  assert.deepEqual(typesOf("administrator/admin.crt", "administrator/super-admin.crt"), ["rsa", "rsa"]);
  assert.deepEqual(typesOf("apiserver/tls.crt", "apiserver/audit-sender.crt", "audit-sink/tls.crt"), [
    "ec",
    "ec",
    "ec",
  ]);
  for (const name of ["admin", "super-admin"]) {
    const keyPem = read(`administrator/${name}.key`);
    assert.match(keyPem, /^-----BEGIN RSA PRIVATE KEY-----\n/);
    assert.ok(read(`administrator/${name}.kubeconfig`).includes(Buffer.from(keyPem).toString("base64")));
  }
});

test("kubeconfigs lead to each server by the name of its program, or by the host that is given", async () => {
  const servers = (): Promise<string[]> =>
    Promise.all(
      ["administrator/admin", "apiserver/authorization", "apiserver/audit-sink", "audit-reader/audit"].map(
        async (name) => (await loadKubeconfig(join(folder, `${name}.kubeconfig`))).server.href,
      ),
    );
  assert.deepEqual(await servers(), [
    "https://gatehouse.example.com:6443/",
    "https://gatehouse-authorization:8445/authorize",
    "https://gatehouse-audit-sink:8447/audit",
    "https://gatehouse-audit-sink:8447/",
  ]);
  const authority = read("authorities/processes-ca.crt");
  await writeDeploymentPki({ ...options, host: "::1" });
  assert.equal((await servers())[1], "https://[::1]:8445/authorize");
  assert.match(certificate("authorization/tls.crt").subjectAltName ?? "", /IP Address:0:0:0:0:0:0:0:1/);
  assert.equal(read("authorities/processes-ca.crt"), authority);
});

test("made again, what serves stays as it is", async () => {
  const contents = () => Object.entries(files()).flatMap(([h, names]) => names.map((name) => read(`${h}/${name}`)));
  const first = contents();
  await writeDeploymentPki({ ...options, host: "::1" });
  assert.deepEqual(contents(), first);
});

test("the command says what is wrong with its flags, all at once", async () => {
  const io = { print: () => {}, printError: () => {}, process: thisProcess, env: {} };
  await assert.rejects(pkiCommand.run(["--api-server=http://a/b", "--host=A b"], io), {
    name: "ConfigurationError",
    message:
      "arguments: 3 problems:\n  - --directory: is required\n  - --api-server: must be an https URL without a path\n  - --host: must be a host name in lower case, or an IP address",
  });
});

test("a directory that cannot be made is told in one line", {
  skip: process.platform !== "linux" && "only Linux has /proc",
}, () => {
  const main = fileURLToPath(new URL("../main.js", import.meta.url));
  const words = [main, "pki", "--directory=/proc/gatehouse/pki"];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  const message = "gatehouse: ENOENT: no such file or directory, mkdir '/proc/gatehouse'\n";
  assert.deepEqual([status, stderr], [1, message]);
});
