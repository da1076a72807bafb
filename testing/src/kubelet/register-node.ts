import { pause } from "@gatehouse/component-base/time";
import { assertStatus, callApi, type NodeCluster } from "./node-cluster.js";

/** The Node object that is registered for a stand-in. */
export interface NodeRegistration {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly address: string;
  readonly port: number;
}

const leaseDurationSeconds = 40;
const leaseRenewalMs = 10_000;
const namespaceDeadlineMs = 60_000;
const retryMs = 20;

/** Creates the Node, or takes over one of the same name, as a kubelet does when it starts. */
export async function registerNode(cluster: NodeCluster, node: NodeRegistration, signal: AbortSignal): Promise<void> {
  const { name, labels } = node;
  const status = statusOf(node);
  const created = await callApi(cluster, {
    method: "POST",
    path: "/api/v1/nodes",
    body: {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels: { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", ...labels } },
      status,
    },
    signal,
  });
  assertStatus(created, `node ${name}`, 201, 409);
  if (created.status === 409) {
    const path = `/api/v1/nodes/${name}/status`;
    assertStatus(await callApi(cluster, { method: "PATCH", path, body: { status }, signal }), `node ${name}`, 200);
  }
}

function statusOf({ name, address, port }: NodeRegistration): object {
  const now = new Date().toISOString().replace(/\.\d+/, "");
  const resources = { cpu: "4", memory: "8Gi", pods: "110", "ephemeral-storage": "100Gi" };
  return {
    addresses: [{ type: "InternalIP", address }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    capacity: resources,
    allocatable: resources,
    conditions: [
      {
        type: "Ready",
        status: "True",
        reason: "KubeletReady",
        message: "kubelet is posting ready status",
        lastHeartbeatTime: now,
        lastTransitionTime: now,
      },
    ],
    nodeInfo: {
      machineID: name,
      systemUUID: name,
      bootID: name,
      kernelVersion: "",
      osImage: "stand-in of @gatehouse/testing",
      containerRuntimeVersion: "script://1",
      kubeletVersion: "v1.29.0",
      kubeProxyVersion: "",
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
}

/** Creates the Lease of a node, and renews it every ten seconds until the signal aborts. */
export async function keepLease(cluster: NodeCluster, name: string, signal: AbortSignal): Promise<void> {
  const leases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
  const renewal = (): object => ({
    spec: { holderIdentity: name, leaseDurationSeconds, renewTime: new Date().toISOString().replace("Z", "000Z") },
  });
  const renew = () => callApi(cluster, { method: "PATCH", path: `${leases}/${name}`, body: renewal(), signal });
  const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name }, ...renewal() };
  let created = await callApi(cluster, { method: "POST", path: leases, body: lease, signal });
  // A controller makes the namespace, in its own time.
  for (const deadline = performance.now() + namespaceDeadlineMs; created.status === 404; ) {
    if (performance.now() > deadline) {
      break;
    }
    await pause(retryMs, signal);
    created = await callApi(cluster, { method: "POST", path: leases, body: lease, signal });
  }
  assertStatus(created, `lease of node ${name}`, 201, 409);
  if (created.status === 409) {
    assertStatus(await renew(), `lease of node ${name}`, 200);
  }
  // The server may be stopped or restarted meanwhile; then the next renewal counts.
  const timer = setInterval(() => void renew().catch(() => {}), leaseRenewalMs);
  timer.unref();
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
