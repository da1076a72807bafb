import { issueCertificate } from "@gatehouse/component-base/pki";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { lacksServiceAccount } from "../apply-objects.js";
import { startDeadline, until } from "../until.js";
import { kubeletRoutes } from "./kubelet-routes.js";
import { type KubeletServer, startKubeletServer } from "./kubelet-server.js";
import { assertStatus, callApi, type NodeCluster } from "./node-cluster.js";
import { PodKeeper } from "./pod-keeper.js";
import type { RunningPod } from "./pod-runtime.js";
import type { LogEntry, PodScript } from "./pod-script.js";
import { keepLease, registerNode } from "./register-node.js";

/** Options of `startNode`. All of them may be left out. */
export interface NodeOptions {
  /** Default `worker-1`. */
  readonly name?: string;
  /** Labels beside those of the host's name and system. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Finds the script of a pod that others create and assign to the node. Default: a pod without output or commands. */
  readonly script?: (pod: JsonObject) => PodScript;
  /** Pages of the kubelet by path, such as `/metrics`: text, or values that are sent as JSON. */
  readonly pages?: Readonly<Record<string, unknown>>;
  /**
   * True if the kubelet answers 401 to callers without a client certificate of the cluster's authority. Default false.
   */
  readonly requireClientCertificate?: boolean;
  /**
   * The address of this machine that the kubelet listens on, and that the node and its pods report. Default 127.0.0.1.
   * API servers refuse to proxy to loopback addresses (`nodes/proxy`, `pods/proxy`), so tests of that give another one.
   */
  readonly address?: string;
  /** True if clients may use `v5.channel.k8s.io`, which kubelets of v1.29 do not know. Default false. */
  readonly webSocketV5?: boolean;
  /** Port that the kubelet listens on. Default: a free one. */
  readonly port?: number;
}

/** A pod to run on a node, with its script. */
export interface PodOptions extends PodScript {
  readonly name: string;
  /** Default `default`. */
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

/** A pod that runs on a node of tests. */
export interface TestPod {
  readonly namespace: string;
  readonly name: string;
  /** Adds lines to the log of a container; of the first one unless another is named. */
  log(entry: LogEntry, container?: string): void;
  /** Ends all containers: the pod has succeeded or failed, and its logs have come to their end. */
  finish(exitCode?: number): Promise<void>;
}

/** A node of tests with its kubelet. Disposal stops the kubelet and leaves the objects as they are, as a crash does. */
export interface TestNode extends AsyncDisposable {
  readonly name: string;
  /** Address and port that the kubelet listens on, with HTTPS. */
  readonly address: string;
  readonly port: number;
  /** Creates a pod on the node, and waits until it runs. Rejects with the API server's message if it is refused. */
  runPod(pod: PodOptions): Promise<TestPod>;
  /** Ends all connections and no longer renews the lease. May be called again. */
  stop(): Promise<void>;
}

const certificateLifetimeMs = 24 * 60 * 60 * 1000;
const podTimeoutMs = 60_000;

/**
 * Registers a node and serves as its kubelet: pods answer logs, commands, attachments and forwarded ports from scripts.
 * The Node and its Lease are those of a ready node; pods assigned to it are reported as running, and removed when they are
 * deleted. An API server that should verify the kubelet needs `--kubelet-certificate-authority`; to be known by it,
 * `--kubelet-client-certificate` and `--kubelet-client-key`.
 *
 * @example
 * ```ts
 * await using node = await startNode(cluster, { name: "worker-1" });
 * await node.runPod({
 *   name: "web",
 *   logs: ["listening on port 8080"],
 *   exec: ([program], io) => (program === "date" ? void io.stdout.write("now\n") : 127),
 * });
 * ```
 */
export async function startNode(cluster: NodeCluster, options: NodeOptions = {}): Promise<TestNode> {
  const { name = "worker-1", address = "127.0.0.1", labels = {}, port = 0 } = options;
  const scripts = new Map<string, PodScript>();
  const abort = new AbortController();
  const { signal } = abort;
  const keeper = new PodKeeper({
    cluster,
    nodeName: name,
    podAddress: address,
    scriptOf: (pod) => scripts.get(keyOf(pod)) ?? options.script?.(pod) ?? {},
    signal,
  });
  const authority = cluster.certificates.authority;
  const server = await startKubeletServer({
    routes: kubeletRoutes({
      nodeName: name,
      webSocketV5: options.webSocketV5 ?? false,
      pages: options.pages ?? {},
      pods: () => keeper.pods,
    }),
    certificate: await issueCertificate({
      subject: { kind: "server", commonName: `system:node:${name}`, dnsNames: [name], ipAddresses: [address] },
      issuer: authority,
      notBefore: new Date(Date.now() - certificateLifetimeMs),
      notAfter: new Date(Date.now() + certificateLifetimeMs),
    }),
    clientAuthorityPem: authority.certificatePem,
    requireClientCertificate: options.requireClientCertificate ?? false,
    address,
    port,
  });
  const parts: NodeParts = { name, cluster, keeper, server, scripts, abort };
  try {
    await registerNode(cluster, { name, labels, address, port: server.port }, signal);
    await keepLease(cluster, name, signal);
    await keeper.start();
  } catch (error) {
    await stopNode(parts);
    throw error;
  }
  return {
    name,
    address,
    port: server.port,
    runPod: (pod) => runPod(parts, pod),
    stop: () => stopNode(parts),
    [Symbol.asyncDispose]: () => stopNode(parts),
  };
}

interface NodeParts {
  readonly name: string;
  readonly cluster: NodeCluster;
  readonly keeper: PodKeeper;
  readonly server: KubeletServer;
  /** Scripts of pods that the test runs, by namespace and name. */
  readonly scripts: Map<string, PodScript>;
  readonly abort: AbortController;
}

async function runPod(
  { name: nodeName, cluster, keeper, scripts, abort }: NodeParts,
  pod: PodOptions,
): Promise<TestPod> {
  const { name, namespace = "default", labels = {} } = pod;
  scripts.set(`${namespace}/${name}`, pod);
  const containers = Object.keys(pod.containers ?? { main: {} });
  const body = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels },
    spec: { nodeName, containers: containers.map((container) => ({ name: container, image: "script" })) },
  };
  const path = `/api/v1/namespaces/${namespace}/pods`;
  using deadline = startDeadline(podTimeoutMs);
  const created = await until("the service account of pods is there", deadline, async () => {
    const answer = await callApi(cluster, { method: "POST", path, body, signal: abort.signal });
    return lacksServiceAccount(answer) ? undefined : answer;
  });
  assertStatus(created, `pod ${name}`, 201);
  return testPod(await keeper.untilRunning(namespace, name), keeper);
}

function testPod(pod: RunningPod, keeper: PodKeeper): TestPod {
  const [first = ""] = pod.containers.keys();
  return {
    namespace: pod.namespace,
    name: pod.name,
    log(entry, container = first) {
      const found = pod.containers.get(container);
      if (found === undefined) {
        throw new TypeError(`pod ${pod.name} has no container ${JSON.stringify(container)}`);
      }
      found.log.append(entry);
    },
    finish: (exitCode = 0) => keeper.finish(pod, exitCode),
  };
}

async function stopNode({ abort, keeper, server }: NodeParts): Promise<void> {
  abort.abort();
  keeper.stop();
  await server[Symbol.asyncDispose]();
}

function keyOf(pod: JsonObject): string {
  const metadata = pod["metadata"] as JsonObject;
  return `${metadata["namespace"]}/${metadata["name"]}`;
}
