import assert from "node:assert/strict";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { ask, configMap, configMaps, watchToTheEnd } from "./ask.test.support.js";
import { eventually, expectDenied, matchers } from "./expect/index.js";
import { type ControlPlane, recorded, replay, startControlPlane } from "./index.js";

describe("the hand of a test in a control plane", () => {
  let parent: ControlPlane;
  let cluster: ControlPlane;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "kit-harness-"));
    parent = await startControlPlane({
      users: [{ name: "alice" }],
      admissionPlugins: { disable: ["ServiceAccount"] },
    });
  });
  beforeEach(async () => {
    cluster = await parent.fork();
  });
  after(async () => {
    await parent.stop();
    await rm(folder, { recursive: true });
  });

  describe("faults", () => {
    test("answer with a Status as often as the rule says, after those it leaves alone", async () => {
      const error = { code: 429, reason: "TooManyRequests", message: "later", retryAfterSeconds: 0 };
      using fault = cluster.faults.add({ verb: "get", resource: "configmaps", name: /^a/, after: 1, times: 2, error });
      await ask(cluster, configMaps, "POST", configMap("a"));
      const codes = [];
      for (let i = 0; i < 4; i++) {
        codes.push((await ask(cluster, `${configMaps}/a`)).status);
      }
      assert.deepEqual(codes, [200, 429, 429, 200]);
      assert.equal(fault.hits, 2);
      assert.equal((await ask(cluster, `${configMaps}/b`)).status, 404);
    });

    test("are those of one user, and end with their disposal", async () => {
      const fault = cluster.faults.add({ user: "alice", error: { code: 500, message: "for alice" } });
      assert.equal((await ask(cluster.user("alice"), "/version")).body.message, "for alice");
      assert.equal((await ask(cluster, "/version")).status, 200);
      fault[Symbol.dispose]();
      assert.equal((await ask(cluster.user("alice"), "/version")).status, 200);
    });

    test("make a write lose a race", async () => {
      await ask(cluster, configMaps, "POST", configMap("a"));
      using _fault = cluster.faults.add({ verb: ["update", "patch"], error: "conflict", times: 1 });
      const { status, body } = await ask(cluster, `${configMaps}/a`, "PATCH", { data: { a: "1" } });
      assert.deepEqual([status, body.reason], [409, "Conflict"]);
      assert.match(
        body.message ?? "",
        /^Operation cannot be fulfilled on configmaps "a": the object has been modified/,
      );
      assert.equal((await ask(cluster, `${configMaps}/a`, "PATCH", { data: { a: "1" } })).status, 200);
    });

    test("cut a connection before a write, and another between the write and its answer", async () => {
      using _before = cluster.faults.add({ verb: "create", cut: "before", times: 1 });
      await assert.rejects(ask(cluster, configMaps, "POST", configMap("a")));
      assert.equal((await ask(cluster, `${configMaps}/a`)).status, 404);
      using _after = cluster.faults.add({ verb: "create", cut: "after", times: 1 });
      await assert.rejects(ask(cluster, configMaps, "POST", configMap("a")));
      assert.equal((await ask(cluster, `${configMaps}/a`)).status, 200);
    });

    test("drop a watch with its next event, and cut those under way", async () => {
      using dropped = cluster.faults.add({ verb: "watch", watch: "drop", times: 1 });
      const watching = assert.rejects(watchToTheEnd(cluster, `${configMaps}?watch=true`));
      await eventually(() => dropped.hits, { until: (hits) => hits === 1 });
      await ask(cluster, configMaps, "POST", configMap("a"));
      await watching;
      using slow = cluster.faults.add({ user: "alice", latencyMs: 60_000 });
      const waiting = assert.rejects(ask(cluster.user("alice"), configMaps));
      await eventually(() => slow.hits, { until: (hits) => hits === 1 });
      assert.equal(cluster.faults.cut({ user: "alice", verb: "list" }), 1);
      await waiting;
    });

    test("keep a watch silent until they are removed", async () => {
      const stale = cluster.faults.add({ verb: "watch", watch: "stale" });
      let hasEnded = false;
      const watching = assert.rejects(
        watchToTheEnd(cluster, `${configMaps}?watch=true`).finally(() => {
          hasEnded = true;
        }),
      );
      await eventually(() => stale.hits, { until: (hits) => hits === 1 });
      await ask(cluster, configMaps, "POST", configMap("a"));
      await ask(cluster, `${configMaps}/a`);
      assert.equal(hasEnded, false);
      stale[Symbol.dispose]();
      await watching;
    });

    test("fail the calls of a webhook, which its failurePolicy decides about", async () => {
      const webhook = (name: string, failurePolicy: string): object => ({
        ...{ name, failurePolicy, sideEffects: "None", admissionReviewVersions: ["v1"] },
        clientConfig: { url: "https://127.0.0.1:1/" },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
      });
      await cluster.apply({
        ...{ apiVersion: "admissionregistration.k8s.io/v1", kind: "ValidatingWebhookConfiguration" },
        metadata: { name: "hooks" },
        webhooks: [webhook("strict.example.com", "Fail"), webhook("lax.example.com", "Ignore")],
      });
      using fault = cluster.faults.add({ webhook: "*", unreachable: "the test says no" });
      await eventually(() => ask(cluster, configMaps, "POST", { metadata: { generateName: "a-" } }), {
        until: ({ status, body }) =>
          status === 500 && /failed calling webhook "strict.example.com"/.test(body.message ?? ""),
      });
      const { body } = await ask(cluster, configMaps, "POST", configMap("b"));
      assert.match(body.message ?? "", /the test says no/);
      assert.ok(fault.hits >= 2);
    });

    test("refuse rules that mean nothing", () => {
      assert.throws(() => cluster.faults.add({ verb: "get" }), /a rule must have an effect: latencyMs, error, cut/);
      const typo = { verbs: "get", error: "conflict" } as unknown as { error: "conflict" };
      assert.throws(() => cluster.faults.add(typo), /a rule has no member "verbs"/);
    });
  });

  describe("the clock", () => {
    test("gives objects their times, ends tokens, and deletes events", async () => {
      await cluster.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } });
      const path = "/api/v1/namespaces/default/serviceaccounts/robot/token";
      const made = await ask(cluster, path, "POST", { spec: { expirationSeconds: 600 } });
      const { token } = made.body.status as { token: string };
      const review = async () => {
        const answer = await ask(cluster, "/apis/authentication.k8s.io/v1/tokenreviews", "POST", { spec: { token } });
        return (answer.body.status as { authenticated?: boolean }).authenticated ?? false;
      };
      const event = { metadata: { name: "e" }, involvedObject: { namespace: "default" }, reason: "Test" };
      await ask(cluster, "/api/v1/namespaces/default/events", "POST", event);
      assert.equal(await review(), true);
      const dayMs = 24 * 3600 * 1000;
      cluster.clock.advance(dayMs);
      assert.equal(await review(), false);
      assert.equal((await ask(cluster, "/api/v1/namespaces/default/events/e")).status, 404);
      const { body } = await ask(cluster, configMaps, "POST", configMap("later"));
      assert.ok(Date.parse(body.metadata.creationTimestamp) - Date.now() > dayMs / 2);
      assert.ok(parent.clock.now() - Date.now() < dayMs / 2, "a fork has a clock of its own");
      assert.throws(() => cluster.clock.advance(-1), TypeError);
    });

    for (const [place, clusterOf] of [
      ["a fork", () => parent.fork()],
      ["a control plane on a disk", () => startControlPlane({ admissionPlugins: { disable: ["ServiceAccount"] } })],
    ] as const) {
      test(`of ${place} ends events in lists and in watches`, async () => {
        await using own = await clusterOf();
        const events = "/api/v1/namespaces/default/events";
        const event = { metadata: { name: "e" }, involvedObject: { namespace: "default" }, reason: "Test" };
        const { body } = await ask(own, events, "POST", event);
        own.clock.advance(2 * 3600 * 1000);
        const list = async () => (await ask(own, events)).body.items ?? [];
        await eventually(list, { until: (items) => items.length === 0 });
        const from = body.metadata.resourceVersion;
        const seen = await watchToTheEnd(own, `${events}?watch=true&resourceVersion=${from}&timeoutSeconds=1`);
        assert.deepEqual(
          seen.map(({ type }) => type),
          ["DELETED"],
        );
      });
    }

    test("is that from which tables reckon ages, in lists, of one object and in watches", async () => {
      await ask(cluster, configMaps, "POST", configMap("old"));
      cluster.clock.advance(3 * 24 * 3600 * 1000);
      const { signal } = new AbortController();
      const headers = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
      for (const path of [
        `${configMaps}?fieldSelector=metadata.name=old`,
        `${configMaps}/old`,
        `${configMaps}?watch=true&fieldSelector=metadata.name=old&timeoutSeconds=1`,
      ]) {
        const answer = await cluster.client.request({ path, headers, signal, timeoutMs: 30_000 });
        assert.match(answer.body.toString(), /"cells":\["old",0,"3d"\]/, path);
      }
    });
  });

  describe("a recording", () => {
    test("tells every request and its answer, and no secret", async () => {
      using recording = cluster.record();
      const secret = { metadata: { name: "s" }, data: { key: Buffer.from("confidential").toString("base64") } };
      await ask(cluster, "/api/v1/namespaces/default/secrets", "POST", secret);
      await ask(cluster, "/api/v1/secrets");
      await cluster.apply({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "robot" } });
      const path = "/api/v1/namespaces/default/serviceaccounts/robot/token";
      const { token } = (await ask(cluster, path, "POST", { spec: {} })).body.status as { token: string };
      await ask(cluster.user("alice"), configMaps);
      const text = recording.text() + JSON.stringify(recording.requests);
      assert.match(text, /kubernetes-admin POST \/api\/v1\/namespaces\/default\/secrets 201 /);
      assert.match(text, /alice GET \/api\/v1\/namespaces\/default\/configmaps 403 /);
      assert.match(text, /configmaps is forbidden: User \\"alice\\" cannot list/);
      for (const hidden of ["confidential", secret.data.key, token]) {
        assert.ok(!text.includes(hidden), hidden);
      }
    });

    test("is sent again to another cluster, which comes to the same state", async () => {
      const file = join(folder, "requests.jsonl");
      {
        using recording = cluster.record();
        await ask(cluster, configMaps, "POST", configMap("a", { a: "1" }));
        await ask(cluster, `${configMaps}/a`, "PATCH", { data: { b: "2" } });
        await ask(cluster.user("alice"), `${configMaps}/a`, "DELETE");
        await recording.save(file);
      }
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      await using other = await parent.fork();
      const replayed = await replay(other, file);
      assert.deepEqual(
        replayed.map(({ status }) => status),
        [201, 200, 403],
      );
      assert.deepEqual((await ask(other, `${configMaps}/a`)).body.data, { a: "1", b: "2" });
      await writeFile(file, "no recording\n");
      await assert.rejects(replay(other, file), /requests.jsonl:1: is not a request of a recording/);
    });

    test("has each request by the time its client has the answer", async () => {
      using recording = cluster.record();
      for (let asked = 1; asked <= 50; asked++) {
        await ask(cluster, asked % 2 === 0 ? configMaps : "/api/v1/namespaces/none");
        assert.equal(recording.requests.length, asked);
      }
    });

    test("is shown when a test fails, with a file of all requests", async (t) => {
      const shown: string[] = [];
      t.mock.method(process.stderr, "write", (text: string) => shown.push(text));
      const failing = recorded(
        () => cluster,
        async (path: string) => {
          await ask(cluster, path);
          throw new Error("the test has failed");
        },
      );
      await assert.rejects(failing("/api/v1/namespaces/none"), /the test has failed/);
      t.mock.restoreAll();
      const [, file = ""] = /all are in (\S+)\)/.exec(shown.join("")) ?? [];
      assert.match(await readFile(file, "utf8"), /"path":"\/api\/v1\/namespaces\/none"/);
      assert.match(shown.join(""), /GET \/api\/v1\/namespaces\/none 404 /);
      await rm(join(file, ".."), { recursive: true });
    });
  });

  describe("manifests and expectations", () => {
    const chart = `---
# Source: chart/templates/widget.yaml
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: team}
---
---
# Source: chart/templates/crd.yaml
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  names: {plural: widgets, kind: Widget}
  scope: Namespaced
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
`;

    test("the output of helm template is applied in an order that the server takes", async () => {
      const [widget, definition, namespace] = await cluster.apply(chart);
      assert.deepEqual(
        [widget?.["kind"], definition?.["kind"], namespace?.["kind"]],
        [...["Widget", "CustomResourceDefinition", "Namespace"]],
      );
      assert.equal((await ask(cluster, "/apis/example.com/v1/namespaces/team/widgets/w")).status, 200);
    });

    test("a folder is applied with the folders in it, and a file that holds no object is named", async () => {
      await mkdir(join(folder, "manifests", "deep"), { recursive: true });
      await writeFile(join(folder, "manifests", "a.yaml"), chart);
      await writeFile(
        join(folder, "manifests", "deep", "list.json"),
        JSON.stringify({ kind: "List", items: [configMapIn] }),
      );
      await writeFile(join(folder, "manifests", "README.md"), "no manifest");
      assert.equal((await cluster.applyPath(join(folder, "manifests"))).length, 4);
      assert.equal((await ask(cluster, `${configMaps}/in-a-list`)).status, 200);
      await writeFile(join(folder, "manifests", "b.yaml"), "name: nothing");
      await assert.rejects(cluster.applyPath(join(folder, "manifests")), /b\.yaml: must be an object with apiVersion/);
    });

    test("expectDenied takes refusals of users and of admission, and nothing else", async () => {
      const denial = await expectDenied(ask(cluster.user("alice"), configMaps), { message: /cannot list resource/ });
      assert.deepEqual([denial.code, denial.reason], [403, "Forbidden"]);
      const invalid = () => ask(cluster, configMaps, "POST", configMap("Not A Name"));
      await expectDenied(invalid, { code: 422, reason: "Invalid" });
      await assert.rejects(expectDenied(ask(cluster, configMaps)), /but it succeeded/);
      await assert.rejects(expectDenied(ask(cluster, `${configMaps}/none`)), /but the answer was .*404/s);
      await assert.rejects(expectDenied(Promise.reject(new Error("no answer"))), /no answer/);
    });

    test("eventually tells what it has seen last", async () => {
      const look = eventually(async () => ({ replicas: 2 }), { until: ({ replicas }) => replicas === 3, timeoutMs: 0 });
      await assert.rejects(look, /not within 0 s, at 1 look\nlast seen: \{ replicas: 2 \}/);
      const throwing = eventually(() => assert.equal(1, 2), 0);
      await assert.rejects(throwing, (error: Error) => error.cause instanceof assert.AssertionError);
    });

    test("matchers tell conditions, owners and denials", async () => {
      const object = { status: { conditions: [{ type: "Ready", status: "True", reason: "Up" }] } };
      assert.equal(matchers.toHaveCondition(object, "Ready", { reason: "Up" }).pass, true);
      const failed = matchers.toHaveCondition(object, "Ready", { status: "False" });
      assert.equal(failed.pass, false);
      assert.match(failed.message(), /Ready=False, but the conditions are .*type: 'Ready'/s);
      const owned = { metadata: { ownerReferences: [{ uid: "1" }] } };
      assert.equal(matchers.toBeOwnedBy(owned, { metadata: { uid: "1" } }).pass, true);
      assert.equal(matchers.toBeOwnedBy(owned, { metadata: { uid: "2" } }).pass, false);
      assert.equal((await matchers.toBeDenied(() => ask(cluster.user("alice"), configMaps))).pass, true);
      assert.match((await matchers.toBeDenied(ask(cluster, configMaps))).message(), /but it succeeded/);
    });
  });
});

const configMapIn = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "in-a-list" } };
