import assert from "node:assert/strict";
import { access } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { ask, configMap, configMaps, watchToTheEnd } from "./ask.test.support.js";
import { eventually } from "./eventually.js";
import { type ControlPlane, startControlPlane } from "./index.js";

const widgets = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.example.com" },
  spec: {
    group: "example.com",
    names: { plural: "widgets", kind: "Widget" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
};

describe("forks and snapshots of a control plane", () => {
  let cluster: ControlPlane;
  before(async () => {
    cluster = await startControlPlane({
      users: [{ name: "alice" }],
      definitions: [widgets],
      objects: [
        configMap("shared", { from: "parent" }),
        { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, size: 3 },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "RoleBinding",
          metadata: { name: "alice-views" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
          subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "alice" }],
        },
      ],
    });
  });
  after(() => cluster.stop());

  test("a fork has the objects, versions, definitions, users and rights of its parent", async () => {
    await using fork = await cluster.fork();
    assert.notEqual(fork.port, cluster.port);
    const paths = [`${configMaps}/shared`, "/apis/example.com/v1/namespaces/default/widgets/w"];
    for (const path of paths) {
      assert.deepEqual((await ask(fork, path)).body, (await ask(cluster, path)).body);
    }
    assert.equal((await ask(fork.user("alice"), configMaps)).status, 200);
    assert.equal((await ask(fork.user("alice"), "/api/v1/nodes")).status, 403);
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "of-the-fork" } };
    assert.equal((await ask(fork, "/apis/example.com/v1/namespaces/default/widgets", "POST", widget)).status, 201);
  });

  test("a fork has the rules of aggregated roles from its first moment on", async () => {
    const roles = "/apis/rbac.authorization.k8s.io/v1/clusterroles";
    const { metadata } = (await ask(cluster, roles)).body;
    const { rules = [] } = (await ask(cluster, `${roles}/edit`)).body;
    await using fork = await cluster.fork();
    const added = {
      metadata: { name: "more-to-edit", labels: { "rbac.authorization.k8s.io/aggregate-to-edit": "true" } },
      rules: [{ apiGroups: ["example.com"], resources: ["widgets"], verbs: ["get"] }],
    };
    assert.equal((await ask(fork, roles, "POST", added)).status, 201);
    await eventually(async () => {
      assert.equal((await ask(fork, `${roles}/edit`)).body.rules?.length, rules.length + 1);
    });
    const selected = "fieldSelector=metadata.name%3Dedit&watch=true&timeoutSeconds=1";
    const events = await watchToTheEnd(fork, `${roles}?${selected}&resourceVersion=${metadata.resourceVersion}`);
    assert.deepEqual(
      events.map(({ object }) => object.rules?.length),
      [rules.length + 1],
    );
  });

  test("neither a fork nor its parent sees what the other writes after the fork", async () => {
    await using fork = await cluster.fork();
    await using second = await fork.fork();
    await ask(fork, `${configMaps}/shared`, "PATCH", { data: { from: "fork" } });
    await ask(second, `${configMaps}/shared`, "DELETE");
    await ask(cluster, configMaps, "POST", configMap("only-the-parent"));
    assert.deepEqual((await ask(fork, `${configMaps}/shared`)).body.data, { from: "fork" });
    assert.equal((await ask(second, `${configMaps}/shared`)).status, 404);
    assert.equal((await ask(fork, `${configMaps}/only-the-parent`)).status, 404);
    assert.deepEqual((await ask(cluster, `${configMaps}/shared`)).body.data, { from: "parent" });
    await ask(cluster, `${configMaps}/only-the-parent`, "DELETE");
  });

  test("a fork keeps its data over a restart, and ends with its parent", async () => {
    const parent = await cluster.fork();
    const fork = await parent.fork();
    await ask(fork, configMaps, "POST", configMap("kept"));
    await fork.restart();
    assert.equal((await ask(fork, `${configMaps}/kept`)).status, 200);
    await parent.stop();
    await assert.rejects(ask(fork, `${configMaps}/kept`));
    await assert.rejects(access(fork.folder), { code: "ENOENT" });
    assert.equal((await ask(cluster, `${configMaps}/shared`)).status, 200);
  });

  for (const kind of ["a control plane", "a fork"]) {
    test(`${kind} returns to a snapshot with new versions, and no version is seen twice`, async () => {
      await using fork = kind === "a fork" ? await cluster.fork() : undefined;
      const rewound = fork ?? cluster;
      await ask(rewound, configMaps, "POST", configMap("changed", { at: "snapshot" }));
      await ask(rewound, configMaps, "POST", configMap("gone"));
      const snapshot = await rewound.snapshot();
      const [gone, shared] = [await ask(rewound, `${configMaps}/gone`), await ask(rewound, `${configMaps}/shared`)];
      await ask(rewound, `${configMaps}/changed`, "PATCH", { data: { at: "later" } });
      await ask(rewound, `${configMaps}/gone`, "DELETE");
      await ask(rewound, configMaps, "POST", configMap("added"));
      const { metadata } = (await ask(rewound, configMaps)).body;
      await rewound.rewind(snapshot);
      const changed = await ask(rewound, `${configMaps}/changed`);
      assert.deepEqual(changed.body.data, { at: "snapshot" });
      assert.ok(Number(changed.body.metadata.resourceVersion) > Number(metadata.resourceVersion));
      const again = await ask(rewound, `${configMaps}/gone`);
      assert.equal(again.body.metadata.uid, gone.body.metadata.uid);
      assert.ok(Number(again.body.metadata.resourceVersion) > Number(metadata.resourceVersion));
      assert.equal((await ask(rewound, `${configMaps}/added`)).status, 404);
      assert.deepEqual((await ask(rewound, `${configMaps}/shared`)).body, shared.body);
      for (const name of ["changed", "gone"]) {
        await ask(rewound, `${configMaps}/${name}`, "DELETE");
      }
    });
  }

  test("a rewind ends watches under way with 410, and those from versions before it", async () => {
    await using fork = await cluster.fork();
    const snapshot = await fork.snapshot();
    const { resourceVersion } = (await ask(fork, configMaps)).body.metadata;
    const path = `${configMaps}?watch=true&resourceVersion=${resourceVersion}`;
    const watching = watchToTheEnd(fork, path);
    await ask(fork, configMaps, "POST", configMap("added"));
    await fork.rewind(snapshot);
    for (const events of [await watching, await watchToTheEnd(fork, path)]) {
      const { type, object } = events.at(-1) ?? { type: "none", object: {} };
      assert.deepEqual([type, object.code, object.reason], ["ERROR", 410, "Expired"]);
    }
  });

  test("a server that its own command line starts has no forks, by the kit or by a path", async () => {
    await using other = await startControlPlane({ mode: "process", authorization: ["AlwaysAllow"] });
    const { signal } = new AbortController();
    const answer = await other.client.request({ method: "POST", path: "/forks", signal, timeoutMs: 30_000 });
    assert.equal(answer.status, 404);
    assert.throws(() => other.faults, TypeError);
    await assert.rejects(other.fork(), new TypeError(`${ownProcess}`));
    await assert.rejects(other.snapshot(), TypeError);
  });
});

const ownProcess = 'the control plane runs in a process of its own; forks and snapshots need mode "in-process"';
