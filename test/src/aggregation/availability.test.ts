import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { until } from "../support/until.js";
import {
  getJson,
  namespace,
  post,
  registerGroup,
  startAggregatingServer,
  untilAvailable,
} from "./aggregated-server.js";
import { type StandIn, sendJson, startStandIn } from "./stand-in.js";

const group = "flunders.example.com";
const service = "flunders-example-com";
const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
let server: ControlPlane;
let standIn: StandIn;

/** The discovery of the stand-in. */
const versionDiscovery = {
  version: "v1",
  resources: [
    {
      resource: "flunders",
      responseKind: { group: "", version: "", kind: "Flunder" },
      scope: "Namespaced",
      singularResource: "flunder",
      verbs: ["get", "list"],
    },
  ],
};

before(async () => {
  [server, standIn] = await Promise.all([
    startAggregatingServer(),
    startStandIn({ dnsNames: [`${service}.${namespace}.svc`] }),
  ]);
  standIn.answer = (_request, response, { url }) => {
    const items = [{ metadata: { name: group }, versions: [versionDiscovery] }];
    if (url === "/apis") {
      sendJson(
        response,
        { kind: "APIGroupDiscoveryList", apiVersion: "apidiscovery.k8s.io/v2beta1", items },
        aggregated,
      );
    } else {
      sendJson(response, { kind: "APIResourceList", groupVersion: `${group}/v1`, url });
    }
  };
});

after(async () => {
  await Promise.all([server?.stop(), standIn?.[Symbol.asyncDispose]()]);
});

interface Discovery {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly freshness: string;
      readonly resources?: unknown;
    }[];
  }[];
}

async function discovered(): Promise<Discovery["items"][number] | undefined> {
  const { items } = (await getJson(server, "/apis", aggregated)) as Discovery;
  return items.find(({ metadata }) => metadata.name === group);
}

async function groupNames(): Promise<readonly string[]> {
  const { groups } = (await getJson(server, "/apis")) as { readonly groups: readonly { readonly name: string }[] };
  return groups.map(({ name }) => name);
}

/** Changes the service of the group: its server is looked at then, not only every thirty seconds. */
async function changeService(state: string): Promise<void> {
  const { status } = await server.client.request({
    method: "PATCH",
    path: `/api/v1/namespaces/${namespace}/services/${service}`,
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ metadata: { labels: { state } } }),
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  });
  assert.equal(status, 200);
}

async function metric(line: string): Promise<void> {
  await until(`the metrics have ${line}`, async () => {
    const options = { path: "/metrics", signal: AbortSignal.timeout(60_000), timeoutMs: 60_000 };
    return (await server.client.request(options)).body.toString().split("\n").includes(line);
  });
}

async function get(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const { status, body } = await server.client.request({
    path,
    signal: AbortSignal.timeout(60_000),
    timeoutMs: 60_000,
  });
  return { status, text: body.toString() };
}

test("a group of another server is served while its server answers, is stale while it does not, and comes back", async () => {
  await registerGroup(server, standIn, { group });
  const passed = await untilAvailable(server, `v1.${group}`);
  assert.deepEqual([passed.reason, passed.message], ["Passed", "all checks passed"]);
  await metric(`aggregator_unavailable_apiservice{name="v1.${group}"} 0`);
  await until("its discovery is known", async () => (await discovered())?.versions[0]?.freshness === "Current");
  assert.deepEqual((await discovered())?.versions, [{ ...versionDiscovery, freshness: "Current" }]);

  await standIn.stop();
  await changeService("stopped");
  const failed = await untilAvailable(server, `v1.${group}`, ({ status }) => status === "False");
  assert.equal(failed.reason, "FailedDiscoveryCheck");
  const url = `https://localhost:${standIn.port}/apis/${group}/v1`;
  assert.match(
    failed.message,
    new RegExp(`^failing or missing response from ${url}: Get "${url}": dial tcp .*refused$`),
  );
  await until("requests are refused", async () => (await get(`/apis/${group}/v1/flunders`)).status === 503);
  assert.equal((await get(`/apis/${group}/v1/flunders`)).text, "service unavailable\n");
  await until("its discovery is stale", async () => (await discovered())?.versions[0]?.freshness === "Stale");
  assert.deepEqual((await discovered())?.versions, [{ ...versionDiscovery, freshness: "Stale" }]);
  assert.equal((await get("/apis/apps/v1")).status, 200);
  assert.ok((await groupNames()).includes(group));
  await metric(`aggregator_unavailable_apiservice{name="v1.${group}"} 1`);
  await metric(`aggregator_unavailable_apiservice_total{name="v1.${group}",reason="FailedDiscoveryCheck"} 1`);

  await standIn.start();
  await changeService("started");
  await untilAvailable(server, `v1.${group}`);
  await until("requests are answered", async () => (await get(`/apis/${group}/v1/flunders`)).status === 200);
  await until("its discovery is current", async () => (await discovered())?.versions[0]?.freshness === "Current");
});

test("groups are listed by their priority and then by name, and versions by theirs", async () => {
  const apiService = (name: string, groupPriorityMinimum: number, versionPriority: number): object => {
    const dot = name.indexOf(".");
    const spec = { group: name.slice(dot + 1), version: name.slice(0, dot), groupPriorityMinimum, versionPriority };
    return {
      metadata: { name },
      spec: { ...spec, service: { namespace, name: "absent" }, insecureSkipTLSVerify: true },
    };
  };
  for (const [name, groupPriority, versionPriority] of [
    ["v1.b.example.com", 17_801, 5],
    ["v1.a.example.com", 17_801, 5],
    ["v1alpha1.a.example.com", 100, 20],
    ["v2.a.example.com", 100, 5],
    ["v1beta1.z.example.com", 1, 1],
  ] as const) {
    await post(server, "/apis/apiregistration.k8s.io/v1/apiservices", apiService(name, groupPriority, versionPriority));
  }
  const names = await groupNames();
  assert.deepEqual(names.slice(0, 4), ["apiregistration.k8s.io", "a.example.com", "b.example.com", "apps"]);
  assert.deepEqual(names.slice(-2), [group, "z.example.com"]);
  const { versions, preferredVersion } = (await getJson(server, "/apis/a.example.com")) as {
    readonly versions: readonly { readonly version: string }[];
    readonly preferredVersion: { readonly version: string };
  };
  assert.deepEqual(
    versions.map(({ version }) => version),
    ["v1alpha1", "v2", "v1"],
  );
  assert.equal(preferredVersion.version, "v1alpha1");
  const absent = await untilAvailable(server, "v1.b.example.com", ({ reason }) => reason !== "");
  assert.equal(absent.message, `service/absent in "${namespace}" is not present`);
});
