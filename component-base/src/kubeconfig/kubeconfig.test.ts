import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ConfigurationError } from "../errors.js";
import { loadKubeconfig, loadKubeconfigIdentities, parseKubeconfig } from "./parse-kubeconfig.js";
import { formatKubeconfig, writeKubeconfig } from "./write-kubeconfig.js";

const pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
const content = {
  clusterName: "gatehouse",
  server: "https://127.0.0.1:6443",
  certificateAuthorityPem: pem,
  userName: "kubernetes-admin",
  clientCertificatePem: `${pem}2`,
  clientKeyPem: `${pem}3`,
};

async function problemsOf(text: string, files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  try {
    await parseKubeconfig(text, {
      path: "/etc/config",
      readFile: async (path) => files[path] ?? Promise.reject(Object.assign(new Error("no"), { code: "ENOENT" })),
    });
  } catch (error) {
    assert.ok(error instanceof ConfigurationError);
    return error.problems.map((problem) => problem.message);
  }
  return [];
}

test("a kubeconfig that was written is read back, and only its owner may read the file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-kubeconfig-"));
  try {
    const path = join(folder, "kubeconfig");
    await writeKubeconfig(path, content);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.match(readFileSync(path, "utf8"), /^ {4}server: https:\/\/127\.0\.0\.1:6443$/m);
    const config = await loadKubeconfig(path);
    assert.deepEqual(config, {
      server: new URL("https://127.0.0.1:6443"),
      insecureSkipTlsVerify: false,
      certificateAuthorityPem: pem,
      clientCertificate: { certificatePem: `${pem}2`, keyPem: `${pem}3` },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("names that YAML would misread are quoted", async () => {
  for (const clusterName of ["true", "no", "a: b", "#x", "-", "é", "1e3", '"', "a\nb"]) {
    const text = formatKubeconfig({ ...content, clusterName });
    const config = await parseKubeconfig(text, { path: "/k" });
    assert.equal(config.server.host, "127.0.0.1:6443", clusterName);
  }
});

test("files are read relative to the kubeconfig, and tokens, server names and namespaces are taken over", async () => {
  const text = `
apiVersion: v1
kind: Config
current-context: one
contexts: [{name: one, context: {cluster: c, user: u, namespace: team}}, {name: two, context: {cluster: d}}]
clusters:
- {name: c, cluster: {server: "https://hook.example/authorize?timeout=30s", certificate-authority: ca.crt, tls-server-name: other.example}}
- {name: d, cluster: {server: "https://d.example", insecure-skip-tls-verify: true}}
users: [{name: u, user: {token: secret, tokenFile: token, client-certificate: /c.crt, client-key: c.key}}]
`;
  const files = new Map([
    ["/etc/ca.crt", "CA"],
    ["/c.crt", "CERT"],
    ["/etc/c.key", "KEY"],
  ]);
  const options = { path: "/etc/config", readFile: async (path: string) => files.get(path) ?? assert.fail(path) };
  assert.deepEqual(await parseKubeconfig(text, options), {
    server: new URL("https://hook.example/authorize?timeout=30s"),
    insecureSkipTlsVerify: false,
    certificateAuthorityPem: "CA",
    certificateAuthorityFile: "/etc/ca.crt",
    tlsServerName: "other.example",
    clientCertificate: { certificatePem: "CERT", keyPem: "KEY" },
    clientCertificateFiles: { certFile: "/c.crt", keyFile: "/etc/c.key" },
    authorization: { kind: "tokenFile", path: "/etc/token", token: "secret" },
    namespace: "team",
  });
  assert.deepEqual(await parseKubeconfig(text, { ...options, context: "two" }), {
    server: new URL("https://d.example"),
    insecureSkipTlsVerify: true,
  });
});

test("every problem is listed with its path", async () => {
  assert.deepEqual(
    await problemsOf(`
current-context: a
contexts: [{name: a, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "ftp://x", proxy-url: "socks5://p", certificate-authority: gone, insecure-skip-tls-verify: "yes"}}]
users: [{name: u, user: {exec: {command: x, apiVersion: v1, env: [{value: x}], args: [1], interactiveMode: no}, as: root, client-certificate-data: eA==, token: a, username: b}}]
`),
    [
      "clusters[0].cluster.server: must be a URL such as https://example.com:6443/path",
      "clusters[0].cluster.certificate-authority: gone cannot be read (ENOENT)",
      "clusters[0].cluster.insecure-skip-tls-verify: must be true or false",
      "clusters[0].cluster.proxy-url: must be a URL such as http://proxy.example.com:3128",
      "users[0].user.exec.apiVersion: must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1",
      "users[0].user.exec.interactiveMode: must be one of Never, IfAvailable, Always",
      "users[0].user.exec.args[0]: must be a string",
      "users[0].user.exec.env[0].name: is required",
      "users[0].user.as: impersonation is not supported here",
      "users[0].user.client-certificate-data: is not base64 of PEM text",
      "users[0].user: client-certificate and client-key must be given together",
      "users[0].user: more than one authentication method: token and username",
    ],
  );
  assert.deepEqual(await problemsOf("{}"), ["current-context: must name a context"]);
  const stated = "apiVersion: v2\nkind: Pod\ncurrent-context: a\n";
  assert.deepEqual(await problemsOf(stated), [
    "apiVersion: must be v1",
    "kind: must be Config",
    'contexts: has no entry named "a"',
  ]);
  assert.deepEqual(await problemsOf("current-context: a"), ['contexts: has no entry named "a"']);
  assert.deepEqual(await problemsOf("[]"), ["kubeconfig: must be a map with clusters, contexts and users"]);
  const [broken = ""] = await problemsOf("users: [{token: hunter2");
  assert.match(broken, /^kubeconfig: is not valid YAML: /);
  assert.doesNotMatch(broken, /hunter2/);
});

test("credential plugins, proxies and compression are taken over", async () => {
  const text = (apiVersion: string, more: string) => `
current-context: one
contexts: [{name: one, context: {cluster: c, user: u}}]
clusters:
- name: c
  cluster:
    server: https://c.example
    proxy-url: http://proxy.example:3128
    disable-compression: true
    certificate-authority-data: ${Buffer.from(pem).toString("base64")}
    extensions: [{name: other, extension: 1}, {name: client.authentication.k8s.io/exec, extension: {audience: a}}]
users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/${apiVersion}, ${more}}}}]
`;
  const cluster = {
    server: new URL("https://c.example"),
    insecureSkipTlsVerify: false,
    certificateAuthorityPem: pem,
    proxyUrl: new URL("http://proxy.example:3128"),
    disableCompression: true,
  };
  const whole =
    "command: ./bin/login, args: [-x], env: [{name: A, value: b}], interactiveMode: Never, provideClusterInfo: true, installHint: get it";
  assert.deepEqual(await parseKubeconfig(text("v1", whole), { path: "/etc/kube/config" }), {
    ...cluster,
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "/etc/kube/bin/login",
      args: ["-x"],
      env: [{ name: "A", value: "b" }],
      interactiveMode: "Never",
      installHint: "get it",
      cluster: {
        server: "https://c.example",
        "proxy-url": "http://proxy.example:3128",
        "disable-compression": true,
        "certificate-authority-data": Buffer.from(pem).toString("base64"),
        config: { audience: "a" },
      },
    },
  });
  assert.deepEqual(await parseKubeconfig(text("v1beta1", "command: login"), { path: "/etc/kube/config" }), {
    ...cluster,
    exec: {
      apiVersion: "client.authentication.k8s.io/v1beta1",
      command: "login",
      args: [],
      env: [],
      interactiveMode: "IfAvailable",
    },
  });
});

test("the users of a file are read without its clusters", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-kubeconfig-"));
  try {
    const path = join(folder, "users");
    const contexts = "current-context: c\ncontexts: [{name: c, context: {user: '*'}}]\n";
    writeFileSync(
      path,
      `users: [{name: "hook.example:8443", user: {token: a}}, {name: "*", user: {tokenFile: t}}]\n${contexts}`,
    );
    const star = { authorization: { kind: "tokenFile", path: join(folder, "t") } };
    assert.deepEqual(await loadKubeconfigIdentities(path), {
      users: new Map<string, unknown>([
        ["hook.example:8443", { authorization: { kind: "token", token: "a" } }],
        ["*", star],
      ]),
      current: star,
    });
    writeFileSync(path, `users: [{user: {token: 1}}, {name: b, user: {client-key: k}}]`);
    await assert.rejects(loadKubeconfigIdentities(path), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.deepEqual(
        error.problems.map(({ message }) => message),
        [
          "users[0].name: is required",
          "users[1].user.client-key: k cannot be read (ENOENT)",
          "users[1].user: client-certificate and client-key must be given together",
        ],
      );
      return true;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a file that is missing is one sentence", async () => {
  await assert.rejects(loadKubeconfig("/no/such/file"), {
    name: "ConfigurationError",
    message: "kubeconfig: /no/such/file: cannot be read (ENOENT)",
  });
});
