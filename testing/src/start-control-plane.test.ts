import assert from "node:assert/strict";
import { access, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { AuthenticationV1Api, CoreV1Api, KubeConfig } from "@kubernetes/client-node";
import type { ClusterAccess } from "./cluster-access.js";
import { type ControlPlaneOptions, startControlPlane } from "./index.js";

/** Sends a request as a user and returns the code and the object of the answer. */
async function ask(access: ClusterAccess, path: string, body?: object): Promise<{ code: number; object: object }> {
  const method = body === undefined ? "GET" : "POST";
  const signal = new AbortController().signal;
  const answer = await access.client.requestJson({ method, path, body, signal, timeoutMs: 30_000 });
  return { code: answer.status, object: answer.body as object };
}

function configMap(name: string, data: Record<string, string> = {}): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

function kubeConfigOf(access: ClusterAccess): KubeConfig {
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(JSON.stringify(access.kubeconfig));
  return kubeConfig;
}

const widgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`;

const configMaps = "/api/v1/namespaces/default/configmaps";

for (const mode of ["in-process", "process"] as const) {
  describe(`a control plane in mode ${mode}`, () => {
    const start = (options: ControlPlaneOptions = {}) => startControlPlane({ ...options, mode });

    test("is ready for pods of its administrator, and RBAC decides what others may do", async () => {
      await using cluster = await start({ users: [{ name: "alice", groups: ["developers", "testers"] }] });
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { name: "a" },
        spec: { containers: [{ name: "a", image: "a" }] },
      };
      assert.equal((await ask(cluster, "/api/v1/namespaces/default/pods", pod)).code, 201);
      const alice = cluster.user("alice");
      assert.equal((await ask(alice, "/api/v1/namespaces/default/pods")).code, 403);
      const review = await kubeConfigOf(alice).makeApiClient(AuthenticationV1Api).createSelfSubjectReview({ body: {} });
      assert.equal(review.status?.userInfo?.username, "alice");
      assert.deepEqual(review.status?.userInfo?.groups, ["developers", "testers", "system:authenticated"]);
      const bob = await cluster.addUser({ name: "bob", groups: ["system:masters"] });
      assert.equal((await ask(bob, "/api/v1/namespaces/default/pods")).code, 200);
      assert.throws(() => cluster.user("carol"), new TypeError('there is no user "carol"; known: alice, bob'));
    });

    test("begins with definitions and objects, in their order", async () => {
      await using cluster = await start({
        definitions: [widgets],
        objects: [
          { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } },
          `
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: team}
size: 3
---
apiVersion: v1
kind: Pod
metadata: {generateName: p-, namespace: team}
spec: {containers: [{name: a, image: a}]}
`,
        ],
      });
      const { object } = await ask(cluster, "/apis/example.com/v1/namespaces/team/widgets/w");
      assert.equal("size" in object && object.size, 3);
      const pods = await kubeConfigOf(cluster).makeApiClient(CoreV1Api).listNamespacedPod({ namespace: "team" });
      assert.match(pods.items[0]?.metadata?.name ?? "", /^p-/);
    });

    test("keeps data, port and credentials over a restart, and its log", async () => {
      await using cluster = await start({ objects: [configMap("kept", { a: "b" })] });
      const { port, url } = cluster;
      await cluster.restart();
      assert.deepEqual([cluster.port, cluster.url], [port, url]);
      assert.equal((await ask(cluster, `${configMaps}/kept`)).code, 200);
      const served = cluster.logs.lines().filter((line) => line.includes(`port=${port}`));
      assert.equal(served.length, 2);
      assert.equal(cluster.logs.dropped, 0);
    });

    test("is reached with node's own https by the PEM of its administrator", async () => {
      await using cluster = await start({ authorization: ["AlwaysAllow"] });
      const code = await new Promise((resolve, reject) => {
        request(`${cluster.url}/version`, cluster.tls, (response) => {
          response.resume();
          resolve(response.statusCode);
        })
          .on("error", reject)
          .end();
      });
      assert.equal(code, 200);
    });

    test("writes kubeconfigs that only their owner can read, and removes all files when it stops", async () => {
      const cluster = await start({ users: [{ name: "../al ice" }] });
      const [file, again] = [await cluster.kubeconfigFile(), await cluster.kubeconfigFile()];
      assert.equal(file, again);
      const other = await cluster.user("../al ice").kubeconfigFile();
      for (const path of [file, other]) {
        assert.equal((await stat(path)).mode & 0o777, 0o600);
        assert.ok(path.startsWith(`${cluster.folder}/`));
        const kubeConfig = new KubeConfig();
        kubeConfig.loadFromFile(path);
        assert.equal(kubeConfig.getCurrentCluster()?.server, cluster.url);
      }
      assert.equal((await stat(cluster.folder)).mode & 0o777, 0o700);
      await cluster.stop();
      await cluster.stop();
      await assert.rejects(access(cluster.folder), { code: "ENOENT" });
    });

    test("keeps a data directory of the options, and applies objects to what is there", async () => {
      const folder = await mkdtemp(join(tmpdir(), "kept-data-"));
      try {
        const dataDirectory = join(folder, "data");
        const options = { dataDirectory, objects: [configMap("one", { a: "1" })] };
        await (await start(options)).stop();
        await using cluster = await start({ dataDirectory, objects: [configMap("one", { b: "2" }), configMap("two")] });
        const { object } = await ask(cluster, `${configMaps}/one`);
        assert.deepEqual("data" in object && object.data, { b: "2" });
      } finally {
        await rm(folder, { recursive: true });
      }
    });

    test("refuses an object that its server refuses, by where it was given, and leaves nothing behind", async () => {
      const temporaryDirectory = await mkdtemp(join(tmpdir(), "refused-"));
      try {
        const options = { temporaryDirectory, authorization: ["AlwaysAllow"] } as const;
        await assert.rejects(start({ ...options, objects: [configMap("good"), configMap("Bad")] }), (error: Error) => {
          assert.equal(error.name, "ControlPlaneStartError");
          assert.match(error.message, /^objects\[1\]: ConfigMap Bad was refused: 422 ConfigMap "Bad" is invalid/);
          return true;
        });
        const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" } };
        await assert.rejects(start({ ...options, objects: [widget] }), {
          message: /^objects\[0\]: the control plane serves no kind Widget of example\.com\/v1/,
        });
        await assert.rejects(start({ ...options, flags: ["--no-such-flag"] }), { message: /no-such-flag/ });
        if (mode === "in-process") {
          await assert.rejects(start({ ...options, flags: ["--version"] }), {
            message: /^flags: --version: can be given to the command gatehouse-apiserver only/,
          });
          await assert.rejects(start({ ...options, flags: ["--workers=2"] }), {
            message: /^flags: --workers: a server in this process has no others; use mode "process"/,
          });
        }
        assert.deepEqual(await readdir(temporaryDirectory), []);
      } finally {
        await rm(temporaryDirectory, { recursive: true });
      }
    });

    test("takes admission plugins and flags, which win over defaults", async () => {
      await using cluster = await start({
        authorization: ["AlwaysAllow"],
        admissionPlugins: { enable: ["AlwaysPullImages"], disable: ["ServiceAccount"] },
        flags: ["--service_account_issuer=https://issuer.example.com"],
        flagsFor: ({ serverCertFile, serverKeyFile }) => [
          `--service-account-key-file=${serverCertFile}`,
          `--service-account-signing-key-file=${serverKeyFile}`,
        ],
      });
      const { object } = await ask(cluster, "/.well-known/openid-configuration");
      assert.equal("issuer" in object && object.issuer, "https://issuer.example.com");
      const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a" }] } };
      const created = await kubeConfigOf(cluster)
        .makeApiClient(CoreV1Api)
        .createNamespacedPod({ namespace: "default", body: pod });
      assert.equal(created.spec?.containers[0]?.imagePullPolicy, "Always");
      assert.equal(created.spec?.serviceAccountName, undefined);
    });
  });
}

test("control plane: ten run side by side in one process, each with data of its own", async () => {
  const numbers = Array.from({ length: 10 }, (_, number) => number);
  const clusters = await Promise.all(
    numbers.map((number) => startControlPlane({ objects: [configMap("own", { number: `${number}` })] })),
  );
  try {
    const found = await Promise.all(
      clusters.map(async (cluster) => (await ask(cluster, `${configMaps}/own`)).object as { data: { number: string } }),
    );
    assert.deepEqual(
      found.map(({ data }) => data.number),
      numbers.map(String),
    );
    assert.equal(new Set(clusters.map(({ url }) => url)).size, 10);
  } finally {
    await Promise.all(clusters.map((cluster) => cluster.stop()));
  }
});

test("control plane: a process can be killed and starts again with everything that was acknowledged", async () => {
  await using cluster = await startControlPlane({ mode: "process", authorization: ["AlwaysAllow"] });
  const { pid } = cluster;
  assert.notEqual(pid, process.pid);
  assert.equal((await ask(cluster, configMaps, configMap("kept"))).code, 201);
  assert.equal(await cluster.kill("SIGKILL"), null);
  await cluster.restart();
  assert.notEqual(cluster.pid, pid);
  assert.equal((await ask(cluster, `${configMaps}/kept`)).code, 200);
});

test("control plane: in the process of the tests only SIGTERM is possible", async () => {
  await using cluster = await startControlPlane({ authorization: ["AlwaysAllow"] });
  assert.equal(cluster.pid, process.pid);
  await assert.rejects(cluster.kill("SIGKILL"), TypeError);
  assert.equal(await cluster.kill("SIGTERM"), 0);
  await cluster.restart();
  assert.equal((await ask(cluster, "/version")).code, 200);
});

test("control plane: a restart takes other flags, and keeps those that it is given no others for", async () => {
  await using cluster = await startControlPlane({ flags: ["--authorization-mode=AlwaysAllow"] });
  const readAsNobody = async () => (await ask(await cluster.addUser({ name: "nobody" }), configMaps)).code;
  assert.equal(await readAsNobody(), 200);
  await cluster.restart({ flags: ["--authorization-mode=RBAC"] });
  assert.equal(await readAsNobody(), 403);
  await cluster.restart();
  assert.equal(await readAsNobody(), 403);
  await assert.rejects(cluster.restart({ flags: ["--data-dir=/x"] }), TypeError);
});

test("control plane: readers of the log end when it stops", async () => {
  const cluster = await startControlPlane({ authorization: ["AlwaysAllow"] });
  const read = (async () => {
    const lines: string[] = [];
    for await (const line of cluster.logs.follow()) {
      lines.push(line);
    }
    return lines;
  })();
  await cluster.stop();
  assert.deepEqual(await read, cluster.logs.lines());
});

const unusable: readonly (readonly [name: string, options: ControlPlaneOptions, message: RegExp])[] = [
  ["an unknown mode", { mode: "thread" as "process" }, /^mode: "thread" is neither/],
  [
    "a program in the process of the tests",
    { program: { script: "x.js" } },
    /^program: can be given in mode "process"/,
  ],
  ["a flag that the kit sets", { flags: ["--data_dir=/x"] }, /^flags: --data-dir is set .*; use dataDirectory$/],
  ["a user without a name", { users: [{ name: "a" }, { name: "" }] }, /^users\[1\]: must have a name$/],
  ["a definition that is none", { definitions: [configMap("a")] }, /^definitions\[0\]: is a ConfigMap/],
  ["an object without a kind", { objects: [{ metadata: { name: "a" } }] }, /^objects\[0\]: must be an object with/],
  ["an object without a name", { objects: [{ apiVersion: "v1", kind: "Pod" }] }, /^objects\[0\]: Pod must have/],
  ["text that is no YAML", { objects: ["a: ["] }, /^objects\[0\]: /],
];

for (const [name, options, message] of unusable) {
  test(`control plane: ${name} is refused as a mistake of the caller`, async () => {
    await assert.rejects(startControlPlane(options), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, message);
      return true;
    });
  });
}

test("control plane: a program that never serves ends the start when its time is over, with its output", async () => {
  const folder = await mkdtemp(join(tmpdir(), "no-server-"));
  try {
    const script = join(folder, "silent.mjs");
    await writeFile(script, "console.log('not a server'); setInterval(() => {}, 1000);");
    const start = startControlPlane({ mode: "process", program: { script }, startTimeoutMs: 2000 });
    await assert.rejects(start, { message: /was not ready within 2 s\nIts log:\nnot a server$/ });
  } finally {
    await rm(folder, { recursive: true });
  }
});
