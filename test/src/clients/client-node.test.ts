import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import {
  ApiException,
  AppsV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  makeInformer,
  PatchStrategy,
  setHeaderOptions,
  type V1ConfigMap,
  type V1Deployment,
  type V1Status,
  VersionApi,
  Watch,
} from "@kubernetes/client-node";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

let server: ControlPlane;
const config = new KubeConfig();

before(async () => {
  server = await startTestServer();
  config.loadFromFile(await server.kubeconfigFile());
});
after(async () => await server.stop());

const core = (): CoreV1Api => config.makeApiClient(CoreV1Api);

async function createNamespace(name: string): Promise<string> {
  await core().createNamespace({ body: { metadata: { name } } });
  return name;
}

const configMap = (name: string, data: Record<string, string> = {}): V1ConfigMap => ({
  metadata: { name, labels: { made: "here" } },
  data,
});

/** The Status that a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<{ readonly code: number; readonly status: V1Status }> {
  const error = await call.then(
    () => assert.fail("the call succeeded"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiException, String(error));
  return { code: error.code, status: typeof error.body === "string" ? JSON.parse(error.body) : error.body };
}

test("objects are created, read, replaced, and deleted with their types", async () => {
  const namespace = await createNamespace("typed");
  const apps = config.makeApiClient(AppsV1Api);
  const deployment: V1Deployment = {
    metadata: { name: "web" },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "web" } },
      template: {
        metadata: { labels: { app: "web" } },
        spec: { containers: [{ name: "web", image: "nginx:1.25", resources: { requests: { cpu: "0.5" } } }] },
      },
    },
  };
  const created = await apps.createNamespacedDeployment({ namespace, body: deployment });
  assert.ok(created.metadata?.creationTimestamp instanceof Date);
  assert.equal(created.metadata.generation, 1);
  assert.equal(created.spec?.strategy?.rollingUpdate?.maxSurge, "25%");
  assert.equal(created.spec?.template.spec?.containers[0]?.resources?.requests?.["cpu"], "500m");

  const read = await apps.readNamespacedDeployment({ namespace, name: "web" });
  assert.deepEqual(read, created);
  const body: V1Deployment = {
    ...read,
    spec: { ...deployment.spec, ...read.spec, replicas: 5 } as NonNullable<V1Deployment["spec"]>,
  };
  const replaced = await apps.replaceNamespacedDeployment({ namespace, name: "web", body });
  assert.deepEqual([replaced.spec?.replicas, replaced.metadata?.generation], [5, 2]);

  const scale = await apps.readNamespacedDeploymentScale({ namespace, name: "web" });
  assert.equal(scale.spec?.replicas, 5);
  const status = { ...replaced, status: { replicas: 5, observedGeneration: 2 } };
  const written = await apps.replaceNamespacedDeploymentStatus({ namespace, name: "web", body: status });
  assert.equal(written.status?.replicas, 5);
  await apps.deleteNamespacedDeployment({ namespace, name: "web" });
  assert.equal((await refusal(apps.readNamespacedDeployment({ namespace, name: "web" }))).code, 404);
  assert.equal((await config.makeApiClient(VersionApi).getCode()).minor, "29");
});

test("a list comes in pages of one version, and follows selectors", async () => {
  const namespace = await createNamespace("pages");
  for (let number = 0; number < 10; number++) {
    await core().createNamespacedConfigMap({
      namespace,
      body: configMap(`item-${number}`, { number: String(number) }),
    });
  }
  const names: string[] = [];
  const versions = new Set<string | undefined>();
  let next: string | undefined;
  do {
    const page = await core().listNamespacedConfigMap({
      namespace,
      limit: 3,
      labelSelector: "made=here",
      ...(next === undefined ? {} : { _continue: next }),
    });
    names.push(...page.items.map((item) => item.metadata?.name ?? ""));
    versions.add(page.metadata?.resourceVersion);
    next = page.metadata?._continue;
  } while (next !== undefined && next !== "");
  assert.deepEqual(
    names,
    Array.from({ length: 10 }, (_, number) => `item-${number}`),
  );
  assert.equal(versions.size, 1);
  const one = await core().listConfigMapForAllNamespaces({
    fieldSelector: `metadata.name=item-4,metadata.namespace=${namespace}`,
  });
  assert.deepEqual(
    one.items.map((item) => item.data),
    [{ number: "4" }],
  );
});

test("patches are taken in all three forms", async () => {
  const namespace = await createNamespace("patches");
  const apps = config.makeApiClient(AppsV1Api);
  const container = (name: string) => ({ name, image: `${name}:1` });
  await apps.createNamespacedDeployment({
    namespace,
    body: {
      metadata: { name: "web" },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: { metadata: { labels: { app: "web" } }, spec: { containers: [container("web")] } },
      },
    },
  });
  const patch = async (type: PatchStrategy, body: unknown): Promise<(string | undefined)[] | undefined> => {
    const patched = await apps.patchNamespacedDeployment(
      { namespace, name: "web", body },
      setHeaderOptions("Content-Type", type),
    );
    return patched.spec?.template.spec?.containers.map((item) => item.image);
  };
  const containers = (items: unknown[]) => ({ spec: { template: { spec: { containers: items } } } });
  assert.deepEqual(await patch(PatchStrategy.StrategicMergePatch, containers([container("sidecar")])), [
    "sidecar:1",
    "web:1",
  ]);
  assert.deepEqual(await patch(PatchStrategy.MergePatch, containers([container("web")])), ["web:1"]);
  const operations = [{ op: "replace", path: "/spec/template/spec/containers/0/image", value: "web:2" }];
  assert.deepEqual(await patch(PatchStrategy.JsonPatch, operations), ["web:2"]);
});

test("refusals carry a Status that says why", async () => {
  const namespace = await createNamespace("refusals");
  await core().createNamespacedConfigMap({ namespace, body: configMap("once") });
  const twice = await refusal(core().createNamespacedConfigMap({ namespace, body: configMap("once") }));
  assert.deepEqual(twice, {
    code: 409,
    status: {
      kind: "Status",
      apiVersion: "v1",
      metadata: {},
      status: "Failure",
      message: 'configmaps "once" already exists',
      reason: "AlreadyExists",
      details: { name: "once", kind: "configmaps" },
      code: 409,
    },
  });
  const missing = await refusal(core().readNamespacedPod({ namespace, name: "nothing" }));
  assert.deepEqual(
    [missing.code, missing.status.reason, missing.status.message],
    [404, "NotFound", 'pods "nothing" not found'],
  );
  const invalid = await refusal(core().createNamespacedConfigMap({ namespace, body: configMap("Not_Valid") }));
  assert.deepEqual([invalid.code, invalid.status.reason], [422, "Invalid"]);
  assert.deepEqual(
    invalid.status.details?.causes?.map(({ field, reason }) => [field, reason]),
    [["metadata.name", "FieldValueInvalid"]],
  );
  const stale = configMap("once");
  stale.metadata = { ...stale.metadata, resourceVersion: "1" };
  const conflict = await refusal(core().replaceNamespacedConfigMap({ namespace, name: "once", body: stale }));
  assert.deepEqual([conflict.code, conflict.status.reason], [409, "Conflict"]);
});

test("a watch tells every change from a version on, and ends when asked to", async () => {
  const namespace = await createNamespace("watched");
  const list = await core().listNamespacedConfigMap({ namespace, labelSelector: "made=here" });
  const events: string[] = [];
  let ended = false;
  const request = await new Watch(config).watch(
    `/api/v1/namespaces/${namespace}/configmaps`,
    { resourceVersion: list.metadata?.resourceVersion, labelSelector: "made=here", allowWatchBookmarks: true },
    (type, object: V1ConfigMap) => {
      if (type !== "BOOKMARK") {
        events.push(`${type} ${object.metadata?.name}`);
      }
    },
    () => {
      ended = true;
    },
  );
  await core().createNamespacedConfigMap({ namespace, body: configMap("a") });
  await core().replaceNamespacedConfigMap({ namespace, name: "a", body: configMap("a", { more: "yes" }) });
  await core().deleteNamespacedConfigMap({ namespace, name: "a" });
  await until("three events came", () => events.length >= 3);
  assert.deepEqual(events, ["ADDED a", "MODIFIED a", "DELETED a"]);
  request.abort();
  await until("the watch has ended", () => ended);
});

test("an object of any kind is handled without its type", async () => {
  const objects = KubernetesObjectApi.makeApiClient(config);
  const spec = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "dynamic", namespace: "default" },
    data: { a: "b" },
  };
  const created = await objects.create<V1ConfigMap>(spec);
  assert.equal(created.data?.["a"], "b");
  const patched = await objects.patch<V1ConfigMap>(
    { ...spec, data: { a: "c" } },
    undefined,
    undefined,
    "me",
    undefined,
    PatchStrategy.StrategicMergePatch,
  );
  assert.equal(patched.data?.["a"], "c");
  assert.equal((await objects.delete(spec)).status, "Success");
});

test("an informer misses nothing when the server is killed and comes back", async () => {
  const namespace = await createNamespace("informed");
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
    core().listNamespacedConfigMap({ namespace }),
  );
  const seen: string[] = [];
  for (const event of ["add", "update", "delete"] as const) {
    informer.on(event, (object) => seen.push(`${event} ${object.metadata?.name}`));
  }
  let restarts = 0;
  let stopped = false;
  // What the library's documentation tells people to do.
  informer.on("error", () => {
    restarts++;
    setTimeout(() => {
      if (!stopped) {
        void informer.start();
      }
    }, 100);
  });
  await informer.start();
  await core().createNamespacedConfigMap({ namespace, body: configMap("before") });
  await core().createNamespacedConfigMap({ namespace, body: configMap("removed") });
  await until("the informer knows both", () => informer.get("before", namespace) && informer.get("removed", namespace));

  await server.kill("SIGKILL");
  await until("the informer has lost its watch", () => restarts > 0);
  await server.restart();
  await core().deleteNamespacedConfigMap({ namespace, name: "removed" });
  await core().replaceNamespacedConfigMap({ namespace, name: "before", body: configMap("before", { changed: "yes" }) });
  await core().createNamespacedConfigMap({ namespace, body: configMap("after") });
  await until("the informer knows what came after", () => informer.get("after", namespace) !== undefined);
  assert.equal(informer.get("before", namespace)?.data?.["changed"], "yes");
  assert.equal(informer.get("removed", namespace), undefined);
  const of = (name: string): string[] => seen.filter((event) => event.endsWith(` ${name}`));
  assert.deepEqual(of("removed"), ["add removed", "delete removed"]);
  assert.deepEqual(of("before").slice(0, 2), ["add before", "update before"]);
  assert.deepEqual(of("after"), ["add after"]);
  stopped = true;
  await informer.stop();
});
