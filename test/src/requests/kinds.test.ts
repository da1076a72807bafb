import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiClient } from "../spec/support/api-client.js";
import { assertCode } from "../spec/support/assert-status.js";
import { freshNamespace } from "../spec/support/fixtures.js";
import { serverWith } from "../spec/support/shared-server.js";

async function prepare(): Promise<{ client: ApiClient; namespace: string }> {
  const client = await serverWith();
  return { client, namespace: await freshNamespace(client) };
}

const podTemplate = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
const metadataOnly = { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" };
const asTable = { accept: "application/json;as=Table;g=meta.k8s.io;v=v1" };

describe("Built-in kinds", { concurrency: true }, () => {
  it("a job has the labels that are generated for its pods, unless it has labels of its own", async () => {
    const { client, namespace } = await prepare();
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    const make = async (name: string, metadata: object, template: object) =>
      (
        await client.post(path, {
          metadata: { name, ...metadata },
          spec: { template: { ...podTemplate, ...template } },
        })
      ).document.metadata;
    const generated = ({ uid, name }: { uid?: string; name?: string }) => ({
      "batch.kubernetes.io/controller-uid": uid,
      "batch.kubernetes.io/job-name": name,
      "controller-uid": uid,
      "job-name": name,
    });
    const bare = await make("bare", {}, {});
    assert.deepEqual(bare.labels, generated(bare));
    const inherited = await make("inherited", {}, { metadata: { labels: { a: "b" } } });
    assert.deepEqual(inherited.labels, { a: "b", ...generated(inherited) });
    const own = await make("own", { labels: { a: "b" } }, { metadata: { labels: { a: "b" } } });
    assert.deepEqual(own.labels, { a: "b" });
  });

  it("the state of each component is asked when somebody wants to know it", async () => {
    const { client } = await prepare();
    const { document } = await client.get("/api/v1/componentstatuses");
    const names = (document["items"] as readonly { metadata: object }[]).map(({ metadata }) => metadata);
    assert.deepEqual(
      names,
      ["scheduler", "controller-manager", "etcd-0"].map((name) => ({ name, creationTimestamp: null })),
    );
    assert.deepEqual((await client.get("/api/v1/componentstatuses/etcd-0")).document, {
      kind: "ComponentStatus",
      apiVersion: "v1",
      metadata: { name: "etcd-0", creationTimestamp: null },
      conditions: [{ type: "Healthy", status: "True", message: "ok" }],
    });
    assertCode(await client.get("/api/v1/componentstatuses/etcd-1"), 404);
  });

  it("rules of a job for failed pods say what they are not about", async () => {
    const { client, namespace } = await prepare();
    const onPodConditions = [{ type: "DisruptionTarget", status: "True" }];
    const { document } = await client.post(`/apis/batch/v1/namespaces/${namespace}/jobs`, {
      metadata: { name: "j" },
      spec: { template: podTemplate, podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions }] } },
    });
    const spec = document["spec"] as { podFailurePolicy: unknown };
    assert.deepEqual(spec.podFailurePolicy, { rules: [{ action: "Ignore", onExitCodes: null, onPodConditions }] });
  });

  it("who deletes a job without a word about its pods is told that they stay", async () => {
    const { client, namespace } = await prepare();
    const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
    await client.post(path, { metadata: { name: "j" }, spec: { template: podTemplate } });
    const warning =
      '299 - "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning"';
    assert.equal((await client.delete(`${path}/j?dryRun=All`)).headers["warning"], warning);
    assert.equal((await client.delete(`${path}?dryRun=All`)).headers["warning"], warning);
    assert.equal((await client.delete(`${path}/j?propagationPolicy=Orphan`)).headers["warning"], undefined);
  });

  it("warnings come with what is accepted, also when its name is taken, and not with what is refused", async () => {
    const { client, namespace } = await prepare();
    const path = `/api/v1/namespaces/${namespace}/pods`;
    const pod = {
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }], volumes: [{ name: "v", gitRepo: { repository: "r" } }] },
    };
    const warning = '299 - "spec.volumes[0].gitRepo: deprecated in v1.11"';
    const created = await client.post(path, pod);
    assertCode(created, 201);
    assert.equal(created.headers["warning"], warning);
    const again = await client.post(path, pod);
    assertCode(again, 409);
    assert.equal(again.headers["warning"], warning);
    const refused = await client.post(path, { ...pod, spec: { ...pod.spec, containers: [] } });
    assertCode(refused, 422);
    assert.equal(refused.headers["warning"], undefined);
  });

  it("annotations that stand for members of other versions are no metadata", async () => {
    const { client, namespace } = await prepare();
    const daemonSets = `/apis/apps/v1/namespaces/${namespace}/daemonsets`;
    const labels = { app: "a" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const made = await client.post(daemonSets, {
      metadata: { name: "d", annotations: { mine: "1" } },
      spec: { selector: { matchLabels: labels }, template },
    });
    const annotations = { mine: "1", "deprecated.daemonset.template.generation": "1" };
    assert.deepEqual(made.document.metadata.annotations, annotations);
    assert.deepEqual((await client.get(`${daemonSets}/d`, metadataOnly)).document.metadata.annotations, { mine: "1" });
    const [row] = (await client.get(daemonSets, asTable)).document["rows"] as {
      object: { metadata: { annotations: object } };
    }[];
    assert.deepEqual(row?.object.metadata.annotations, { mine: "1" });
    const [whole] = (await client.get(`${daemonSets}?includeObject=Object`, asTable)).document["rows"] as {
      object: { metadata: { annotations: object } };
    }[];
    assert.deepEqual(whole?.object.metadata.annotations, annotations);
  });

  it("every version of a kind has the same table", async () => {
    const { client, namespace } = await prepare();
    const resource = (version: string) =>
      `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers`;
    const scaleTargetRef = { kind: "Deployment", name: "d" };
    const metric = (name: string, averageUtilization: number) => ({
      type: "Resource",
      resource: { name, target: { type: "Utilization", averageUtilization } },
    });
    const metrics = [metric("cpu", 50), metric("memory", 60)];
    await client.post(resource("v2"), { metadata: { name: "h" }, spec: { scaleTargetRef, maxReplicas: 3, metrics } });
    const inV1 = (await client.get(`${resource("v1")}/h`)).document.metadata.annotations ?? {};
    assert.deepEqual(Object.keys(inV1), ["autoscaling.alpha.kubernetes.io/metrics"]);
    for (const version of ["v1", "v2"]) {
      for (const path of [resource(version), `${resource(version)}/h`]) {
        const [row] = (await client.get(path, asTable)).document["rows"] as {
          cells: unknown[];
          object: { metadata: { annotations?: object } };
        }[];
        assert.deepEqual(row?.cells.slice(0, 3), ["h", "Deployment/d", "<unknown>/50%, <unknown>/60%"]);
        assert.equal(row?.object.metadata.annotations, undefined);
      }
      using watch = await client.watch(`${resource(version)}?watch=1&resourceVersion=0`, asTable);
      const [row] = (await watch.next()).object["rows"] as { cells: unknown[] }[];
      assert.equal(row?.cells[2], "<unknown>/50%, <unknown>/60%");
    }
  });

  it("a dry run shows what reading would show, also where that passes through another version", async () => {
    const { client, namespace } = await prepare();
    const path = `/apis/autoscaling/v1/namespaces/${namespace}/horizontalpodautoscalers`;
    const object = {
      metadata: { name: "h" },
      spec: { scaleTargetRef: { kind: "Deployment", name: "d" }, maxReplicas: 3 },
    };
    const { document } = await client.post(`${path}?dryRun=All`, object);
    const tried = document["spec"] as { targetCPUUtilizationPercentage: number };
    assert.equal(tried.targetCPUUtilizationPercentage, 80);
    assert.deepEqual((await client.post(path, object)).document["spec"], tried);
  });

  it("a namespace that is being deleted tells of no grace period", async () => {
    const { client, namespace } = await prepare();
    const { document } = await client.delete(`/api/v1/namespaces/${namespace}`);
    assert.notEqual(document.metadata.deletionTimestamp, undefined);
    assert.equal(document.metadata.deletionGracePeriodSeconds, undefined);
  });

  it("what is marked as going is written in the usual order", async () => {
    const { client, namespace } = await prepare();
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await client.post(path, { metadata: { name: "c", labels: { a: "b" }, finalizers: ["a/b"] } });
    const { document } = await client.delete(`${path}/c`);
    assert.deepEqual(Object.keys(document.metadata), [
      "name",
      "namespace",
      "uid",
      "resourceVersion",
      "creationTimestamp",
      "deletionTimestamp",
      "deletionGracePeriodSeconds",
      "labels",
      "finalizers",
      "managedFields",
    ]);
    await client.patch(`${path}/c`, "application/merge-patch+json", { metadata: { finalizers: null } });
  });

  it("service accounts can be replaced without a version, and runtime classes made by PUT", async () => {
    const { client, namespace } = await prepare();
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await client.post(accounts, { metadata: { name: "a" } });
    assertCode(await client.put(`${accounts}/a`, { metadata: { name: "a", labels: { b: "c" } } }), 200);
    const name = `class-of-${namespace}`;
    assertCode(
      await client.put(`/apis/node.k8s.io/v1/runtimeclasses/${name}`, { metadata: { name }, handler: "h" }),
      201,
    );
  });

  it("white space and letter case are what Go takes them for", async () => {
    const { client, namespace } = await prepare();
    const isAccepted = async (path: string, object: object): Promise<boolean> =>
      (await client.post(`${path}?dryRun=All`, { metadata: { name: "x" }, ...object })).status === 201;
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const withImage = (image: string) => ({ spec: { containers: [{ name: "c", image }] } });
    assert.equal(await isAccepted(pods, withImage("\ufeffi")), true);
    assert.equal(await isAccepted(pods, withImage("i\u0085")), false);
    const classes = "/apis/storage.k8s.io/v1/storageclasses";
    assert.equal(await isAccepted(classes, { provisioner: "\u0130" }), true);
    const configurations = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
    const webhook = { name: "a.b.c", sideEffects: "None", admissionReviewVersions: ["v1"] };
    const matchConditions = [{ name: "n", expression: "\u0085" }];
    const { document } = await client.post(configurations, {
      metadata: { name: "x" },
      webhooks: [{ ...webhook, clientConfig: { url: "https://x" }, matchConditions }],
    });
    assert.match(String(document["message"]), /expression: Required value/);
  });
});
