import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { ControlPlane } from "@gatehouse/testing";
import { startAggregatingServer } from "../aggregation/aggregated-server.js";
import { startExtensionProcess } from "../aggregation/extension-process.js";
import { type ApiClient, createApiClient } from "../spec/support/api-client.js";
import type { RunningCommand } from "../support/running-command.js";
import { until } from "../support/until.js";

// The steps of Kubernetes' conformance test "Aggregator Should be able to support the Sample API Server", with the example
// wardle as the server behind. AGGREGATOR_KUBECONFIG names any other front, behind which `v1alpha1.wardle.example.com` is
// available, such as those of `test/differential/start-with-sample-apiserver.mjs`.

const group = "wardle.example.com";
const name = `v1alpha1.${group}`;
const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";
const apiService = `${apiServices}/${name}`;
const flunders = `/apis/${group}/v1alpha1/namespaces/default/flunders`;
const folder = mkdtempSync(join(tmpdir(), "aggregator-steps-"));
let front: ControlPlane | undefined;
let wardle: RunningCommand | undefined;
let client: ApiClient;

before(async () => {
  const kubeconfig = process.env["AGGREGATOR_KUBECONFIG"];
  if (kubeconfig !== undefined) {
    client = createApiClient(await loadKubeconfig(kubeconfig));
    return;
  }
  front = await startAggregatingServer(["--authorization-mode=RBAC"]);
  wardle = await startExtensionProcess(front, {
    script: fileURLToPath(new URL("../../../examples/wardle/dist/main.js", import.meta.url)),
    group,
    versions: ["v1alpha1", "v1beta1"],
    folder,
  });
  client = createApiClient(front.clientConfig);
});
after(async () => {
  client?.[Symbol.dispose]();
  await wardle?.stop();
  await front?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

interface ApiService {
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec: { readonly versionPriority: number };
  readonly status: { readonly conditions: readonly Condition[] };
}

/** Sends a request that must be answered with `code`, and returns the object of the answer. */
async function send(method: string, path: string, code: number, body?: object, type = "application/json") {
  const headers = { accept: "application/json", "content-type": type };
  const { status, text, document } = await client.request(
    method,
    path,
    body === undefined ? {} : { headers, body: JSON.stringify(body) },
  );
  assert.equal(status, code, `${method} ${path}: ${text}`);
  return document as unknown;
}

const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";
const readService = async (path = apiService): Promise<ApiService> => (await send("GET", path, 200)) as ApiService;
const namesOfFlunders = async (): Promise<readonly string[]> => {
  const { items } = (await send("GET", flunders, 200)) as { readonly items: readonly ApiService[] };
  return items.map(({ metadata }) => metadata.name);
};
const flunderOf = (flunder: string, labels: Readonly<Record<string, string>> = {}) => ({
  apiVersion: `${group}/v1alpha1`,
  kind: "Flunder",
  metadata: { name: flunder, namespace: "default", labels },
  spec: {},
});

/** Changes what was read until nobody else has changed it meanwhile, as the availability controller may. */
async function replace(path: string, change: (read: ApiService) => ApiService): Promise<ApiService> {
  return await until(`${path} is replaced`, async () => {
    const answer = await client.put(path, change(await readService(path)));
    assert.ok(answer.status === 200 || answer.status === 409, answer.text);
    return answer.status === 200 && (answer.document as unknown as ApiService);
  });
}

const e2eCondition = (type: string): Condition => ({
  type,
  status: "True",
  reason: "E2E",
  message: `${type} by a test`,
});

test("the steps of Kubernetes' conformance test of the aggregator succeed", async (context) => {
  await context.test("a flunder is created, listed and deleted with plain requests", async () => {
    const created = await send("POST", flunders, 201, flunderOf("rest-flunder", { "sample-label": "true" }));
    const { apiVersion, kind, metadata } = created as ReturnType<typeof flunderOf>;
    assert.deepEqual([apiVersion, kind, metadata.name], [`${group}/v1alpha1`, "Flunder", "rest-flunder"]);
    assert.deepEqual(await namesOfFlunders(), ["rest-flunder"]);
    await send("DELETE", `${flunders}/rest-flunder`, 200);
    assert.deepEqual(await namesOfFlunders(), []);
  });

  await context.test("discovery tells of flunders, and a client that follows it creates and lists one", async () => {
    const { resources } = (await send("GET", `/apis/${group}/v1alpha1`, 200)) as {
      readonly resources: readonly { readonly name: string; readonly namespaced: boolean }[];
    };
    assert.equal(resources.find((resource) => resource.name === "flunders")?.namespaced, true);
    await send("POST", flunders, 201, flunderOf("dynamic-flunder"));
    assert.deepEqual(await namesOfFlunders(), ["dynamic-flunder"]);
  });

  await context.test("the status of the APIService says that all checks passed", async () => {
    const { status } = await readService(`${apiService}/status`);
    assert.equal(status.conditions[0]?.message, "all checks passed");
  });

  await context.test("the APIService is patched, listed and labelled", async () => {
    const patched = (await send(
      "PATCH",
      apiService,
      200,
      { spec: { versionPriority: 400 } },
      mergePatch,
    )) as ApiService;
    assert.equal(patched.spec.versionPriority, 400);
    const { items } = (await send("GET", apiServices, 200)) as { readonly items: readonly ApiService[] };
    assert.ok(items.some(({ metadata }) => metadata.name === name));
    const labels = { "e2e-apiservice": "patched" };
    await send("PATCH", apiService, 200, { metadata: { labels } }, strategicMergePatch);
    assert.deepEqual((await readService()).metadata.labels, labels);
  });

  await context.test(
    "conditions of others are kept, whether they come with an update or a patch of the status",
    async () => {
      const path = `${apiService}/status`;
      await replace(path, (read) => ({
        ...read,
        status: { conditions: [...read.status.conditions, e2eCondition("StatusUpdated")] },
      }));
      const updated = await readService(path);
      const typesOf = ({ status }: ApiService): readonly string[] => status.conditions.map(({ type }) => type);
      assert.deepEqual(typesOf(updated), ["Available", "StatusUpdated"]);
      const conditions = [...updated.status.conditions, e2eCondition("StatusPatched")];
      await send("PATCH", path, 200, { status: { conditions } }, mergePatch);
      assert.deepEqual(typesOf(await readService(path)), ["Available", "StatusUpdated", "StatusPatched"]);
    },
  );

  await context.test("labels are replaced, and a flunder is deleted and made again", async () => {
    const replaced = await replace(apiService, (read) => ({
      ...read,
      metadata: { ...read.metadata, labels: { [name]: "updated" } },
    }));
    assert.deepEqual(replaced.metadata.labels, { [name]: "updated" });
    await send("DELETE", `${flunders}/dynamic-flunder`, 200);
    assert.deepEqual(await namesOfFlunders(), []);
    await send("POST", flunders, 201, flunderOf("dynamic-flunder"));
    assert.deepEqual(await namesOfFlunders(), ["dynamic-flunder"]);
  });

  await context.test(
    "the APIService is deleted with a collection that its label selects, and stays deleted",
    async () => {
      const selected = `${apiServices}?labelSelector=${encodeURIComponent(`${name}=updated`)}`;
      await send("DELETE", selected, 200);
      await until("no APIService is selected", async () => {
        const { items } = (await send("GET", selected, 200)) as { readonly items: readonly unknown[] };
        return items.length === 0;
      });
      await send("GET", apiService, 404);
      await until("its path is not served any more", async () => (await client.get(flunders)).status === 404);
    },
  );
});
