import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { mergeKubeconfig } from "./merge-kubeconfig.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-merge-"));
after(() => rmSync(folder, { recursive: true }));

const entries = {
  clusterName: "gatehouse",
  cluster: { server: "https://127.0.0.1:6443", "certificate-authority-data": "Q0E=" },
  userName: "admin",
  user: { "client-certificate-data": "Q0VSVA==", "client-key-data": "S0VZ" },
};

const edited = `# mine
apiVersion: v1
kind: Config
clusters:
- name: other
  cluster:
    server: https://other.example
- name: gatehouse # the local one
  cluster:
    server: https://127.0.0.1:1
    certificate-authority-data: Q0E=
    tls-server-name: localhost
users:
- name: robot
  user:
    token: secret # from the vault
- name: admin
  user:
    client-certificate-data: T0xE
    client-key-data: T0xE
contexts:
- name: admin@gatehouse
  context:
    cluster: gatehouse
    user: admin
    namespace: team # where I work
- name: robot@other
  context:
    cluster: other
    user: robot
current-context: robot@other
`;

test("a kubeconfig that is not there is made, for its owner only, with the context as the current one", async () => {
  const path = join(folder, "new");
  await mergeKubeconfig(path, entries);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(
    readFileSync(path, "utf8"),
    `apiVersion: v1
kind: Config
preferences: {}
clusters:
- name: gatehouse
  cluster:
    server: https://127.0.0.1:6443
    certificate-authority-data: Q0E=
users:
- name: admin
  user:
    client-certificate-data: Q0VSVA==
    client-key-data: S0VZ
contexts:
- name: admin@gatehouse
  context:
    cluster: gatehouse
    user: admin
current-context: admin@gatehouse
`,
  );
});

/** A kubeconfig in the layout of other programs than kubectl. */
const indented = edited.replace(/^(?=[- ])/gm, "  ");

for (const [layout, text] of Object.entries({ kubectl: edited, indented })) {
  test(`outdated fields are corrected, and all else stays, comments and ${layout} layout too`, async () => {
    const path = join(folder, layout);
    writeFileSync(path, text);
    await mergeKubeconfig(path, entries);
    assert.equal(readFileSync(path, "utf8"), corrected(text));
  });
}

function corrected(text: string): string {
  return text
    .replace("https://127.0.0.1:1", "https://127.0.0.1:6443")
    .replace("certificate-data: T0xE", "certificate-data: Q0VSVA==")
    .replace("key-data: T0xE", "key-data: S0VZ");
}

test("a file that holds the entries already is not written, however it is laid out", async () => {
  const path = join(folder, "current");
  const text = `{current-context: x, clusters: [{name: gatehouse, cluster: ${JSON.stringify(entries.cluster)}}],
  users: [{name: admin, user: ${JSON.stringify(entries.user)}}],   # odd,   but right
  contexts: [{name: admin@gatehouse, context: {cluster: gatehouse, user: admin}}]}`;
  writeFileSync(path, text);
  writeFileSync(`${path}.lock`, "");
  await mergeKubeconfig(path, entries);
  assert.equal(readFileSync(path, "utf8"), text);
});

test("an entry without content, and lists that are null, are filled", async () => {
  const path = join(folder, "hollow");
  writeFileSync(path, "clusters: [{name: gatehouse}]\nusers: [{name: admin, user: null}]\ncontexts: null\n");
  await mergeKubeconfig(path, entries);
  const text = readFileSync(path, "utf8");
  for (const part of ["https://127.0.0.1:6443", "S0VZ", "current-context: admin@gatehouse"]) {
    assert.ok(text.includes(part), text);
  }
});

test("a file that is no kubeconfig, and one that another program is changing, are refused and stay as they are", async () => {
  const broken = join(folder, "broken");
  for (const text of ["users: [", "- a", "text", ""]) {
    writeFileSync(broken, text);
    await assert.rejects(mergeKubeconfig(broken, entries), {
      message: `kubeconfig: ${broken}: is not a map in valid YAML`,
    });
    assert.equal(readFileSync(broken, "utf8"), text);
  }
  const locked = join(folder, "locked");
  writeFileSync(locked, edited);
  writeFileSync(`${locked}.lock`, "");
  await assert.rejects(mergeKubeconfig(locked, entries), {
    message: `kubeconfig: ${locked}: ${locked}.lock exists: another program changes it`,
  });
  assert.equal(readFileSync(locked, "utf8"), edited);
});
