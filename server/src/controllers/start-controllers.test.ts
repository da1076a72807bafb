import assert from "node:assert/strict";
import { test } from "node:test";
import { addressRange } from "@gatehouse/apiserver/options";
import { eventually } from "@gatehouse/testing/eventually";
import { noRemoteObjects } from "../aggregation/remote-objects.js";
import { keyPrefix, openTestControlPlane, type TestControlPlane } from "../control-plane.test.support.js";
import type { ServerConfig } from "../options/server-config.js";
import { configMaps, endpoints, namespaces, services } from "./core-resources.js";
import { openServicePlane } from "./service-plane.test.support.js";
import { type RunningControllers, startControllers } from "./start-controllers.js";

interface Started {
  readonly running: RunningControllers;
  stop(): Promise<void>;
}

function start(
  plane: TestControlPlane,
  selection: readonly string[],
  config: Partial<Omit<ServerConfig, "admission">> = {},
): Started {
  const stopping = new AbortController();
  const running = startControllers({
    selection,
    liveRegistry: plane.liveRegistry,
    builtinGroups: [],
    environment: plane.environment,
    pendingCharges: plane.pendingCharges,
    store: plane.store,
    rootCa: "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
    authenticationInfo: { clientAuthorities: () => "", proxyAuthorities: () => "", requestHeader: undefined },
    legacySigner: { sign: async () => "" },
    aggregation: {
      probe: async () => undefined,
      availability: { state() {}, lost() {} },
      objectsFor: () => noRemoteObjects,
      clientFor: (_controller, local) => local,
    },
    securePort: 6443,
    advertised: "192.0.2.7",
    config: {
      admission: { plugins: [] },
      clusterSigning: undefined,
      serviceRanges: [addressRange({ family: "IPv4", network: 0x0a600000n, bits: 12 })],
      endpointReconciler: "lease",
      serverCount: 1,
      requestLimits: { fairness: true, maxReadOnly: 400, maxMutating: 200 },
      kubernetesServiceNodePort: 0,
      keyPrefix,
      ...config,
    },
    election: undefined,
    storageVersions: undefined,
    peers: undefined,
    onRolesReady() {},
    onFlowControlReady() {},
    onNamespacesReady() {},
    addressMilestones: undefined,
    signal: stopping.signal,
    onError: (_controller, error) => plane.errors.push(error),
  });
  return {
    running,
    async stop() {
      stopping.abort();
      await running.stopped;
    },
  };
}

test("a fresh control plane has all that belongs to one, without an error, and stops when told to", async () => {
  await using plane = await openServicePlane();
  const { client, errors } = plane;
  const { stop } = start(plane, ["*"]);
  await eventually(async () => {
    assert.equal((await client.list(namespaces, "")).length, 4);
    assert.equal((await client.list(configMaps, "")).length, 5);
    assert.ok(await client.get(endpoints, "default", "kubernetes"));
  });
  await stop();
  assert.deepEqual(errors, []);
});

test("only the controllers that are picked run", async () => {
  await using plane = await openTestControlPlane();
  const { stop } = start(plane, [
    "*",
    "-root-ca-cert-publisher",
    "-kubernetes-service",
    "-legacy-service-account-token-tracking-controller",
  ]);
  await eventually(async () => assert.equal((await plane.client.list(namespaces, "")).length, 4));
  assert.equal((await plane.client.list(configMaps, "")).length, 0);
  assert.equal((await plane.client.list(services, "")).length, 0);
  await stop();
});

test("beside a controller manager that holds its lease only what belongs to the API server runs", async () => {
  await using plane = await openServicePlane();
  await plane.makeNamespace("kube-system");
  await plane.make(
    { group: "coordination.k8s.io", resource: "leases" },
    {
      kind: "Lease",
      apiVersion: "coordination.k8s.io/v1",
      metadata: { namespace: "kube-system", name: "kube-controller-manager" },
      spec: { holderIdentity: "somebody", leaseDurationSeconds: 600 },
    },
  );
  const { stop } = start(plane, ["*"]);
  await eventually(async () => {
    assert.equal((await plane.client.list(namespaces, "")).length, 4);
    assert.ok(await plane.client.get(endpoints, "default", "kubernetes"));
  });
  assert.equal(await plane.client.get(configMaps, "kube-system", "kube-root-ca.crt"), undefined);
  await stop();
  assert.deepEqual(plane.errors, []);
});

test("a server that listens on loopback only has endpoints, too", async () => {
  await using plane = await openServicePlane();
  const { stop } = start(plane, ["kubernetes-service-controller"], { bindAddress: "127.0.0.1" });
  await eventually(async () => assert.ok(await plane.client.get(endpoints, "default", "kubernetes")));
  await stop();
});
