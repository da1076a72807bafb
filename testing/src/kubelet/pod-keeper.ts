import { pause } from "@gatehouse/component-base/time";
import { isJsonObject, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { assertStatus, callApi, type NodeCluster } from "./node-cluster.js";
import { RunningPod } from "./pod-runtime.js";
import type { PodScript } from "./pod-script.js";

const watchTimeoutMs = 24 * 60 * 60 * 1000;
const startTimeoutMs = 60_000;
const retryMs = 50;

/** Settings of a PodKeeper. */
export interface PodKeeperOptions {
  readonly cluster: NodeCluster;
  readonly nodeName: string;
  /** The address that pods report as theirs. */
  readonly podAddress: string;
  /** Finds the script of a pod that comes to the node. */
  readonly scriptOf: (pod: JsonObject) => PodScript;
  readonly signal: AbortSignal;
}

/**
 * Runs the pods that are assigned to a node: reports each of them as running when it comes, and removes it from the API
 * server when its deletion was asked for.
 */
export class PodKeeper {
  readonly #options: PodKeeperOptions;
  readonly #pods = new Map<string, RunningPod>();
  readonly #waiting = new Set<() => void>();
  /** The last failure of a call to the API server. */
  #problem = "the node has stopped";

  constructor(options: PodKeeperOptions) {
    this.#options = options;
  }

  /** Follows the pods of the node until the signal aborts. Resolves when it has seen those that there are. */
  async start(): Promise<void> {
    const resourceVersion = await this.#list();
    void this.#follow(resourceVersion);
  }

  /** Pods on the node, as a list. */
  get pods(): readonly RunningPod[] {
    return [...this.#pods.values()];
  }

  find(namespace: string, name: string): RunningPod | undefined {
    return this.#pods.get(`${namespace}/${name}`);
  }

  /** Waits until a pod has been reported as running. Rejects when the node stops, or after a minute. */
  async untilRunning(namespace: string, name: string): Promise<RunningPod> {
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(startTimeoutMs)]);
    signal.addEventListener("abort", () => this.#wake(), { once: true });
    for (;;) {
      const pod = this.find(namespace, name);
      if (pod !== undefined && textAt(pod.object, "status", "phase") === "Running") {
        return pod;
      }
      if (signal.aborted) {
        throw new Error(`pod ${namespace}/${name} was not reported as running: ${this.#problem}`);
      }
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Reports the end of all containers of a pod. */
  async finish(pod: RunningPod, exitCode: number): Promise<void> {
    pod.end();
    await this.#report(pod, exitCode);
  }

  /** Ends the logs of all pods, and lets those go who wait. */
  stop(): void {
    for (const pod of this.#pods.values()) {
      pod.end();
    }
    this.#wake();
  }

  async #list(): Promise<string> {
    const { cluster, signal } = this.#options;
    const answer = await callApi(cluster, { method: "GET", path: this.#path(), signal });
    assertStatus(answer, "pods of the node", 200);
    const body = answer.body as JsonObject;
    const items = listAt(body, "items").filter(isJsonObject);
    const present = new Set(items.map((item) => keyOf(item)));
    for (const [key, pod] of this.#pods) {
      if (!present.has(key)) {
        this.#remove(pod.object);
      }
    }
    for (const item of items) {
      await this.#see(item);
    }
    return textAt(body, "metadata", "resourceVersion");
  }

  /** Watches, and lists again when a watch has ended; tries until the signal aborts. */
  async #follow(from: string): Promise<void> {
    const { signal } = this.#options;
    let resourceVersion: string | undefined = from;
    while (!signal.aborted) {
      try {
        await this.#watch(resourceVersion ?? (await this.#list()));
      } catch (error) {
        // The server may be stopped or restarted meanwhile.
        this.#note(error);
      }
      resourceVersion = undefined;
      await pause(retryMs, signal);
    }
  }

  async #watch(resourceVersion: string): Promise<void> {
    const { cluster, signal } = this.#options;
    let text = "";
    let work = Promise.resolve();
    await cluster.client.request({
      path: `${this.#path()}&watch=true&resourceVersion=${resourceVersion}`,
      signal,
      timeoutMs: watchTimeoutMs,
      onBody: (piece) => {
        const lines = (text + piece).split("\n");
        text = lines.pop() as string;
        for (const line of lines) {
          const event = JSON.parse(line);
          work = work.then(() => this.#receive(event)).catch((error) => this.#note(error));
        }
      },
    });
    await work;
  }

  async #receive({ type, object }: { readonly type: string; readonly object: JsonObject }): Promise<void> {
    if (type === "DELETED") {
      this.#remove(object);
    } else if (type === "ADDED" || type === "MODIFIED") {
      await this.#see(object);
    }
  }

  async #see(object: JsonObject): Promise<void> {
    const known = this.#pods.get(keyOf(object));
    const isSame = known !== undefined && known.uid === textAt(object, "metadata", "uid");
    const pod = isSame ? known : new RunningPod(object, this.#options.scriptOf(object));
    pod.object = object;
    this.#pods.set(keyOf(object), pod);
    if (textAt(object, "metadata", "deletionTimestamp") !== "") {
      pod.end();
      await this.#delete(pod);
    } else if (["", "Pending"].includes(textAt(object, "status", "phase"))) {
      await this.#report(pod);
    }
    this.#wake();
  }

  #remove(object: JsonObject): void {
    this.#pods.get(keyOf(object))?.end();
    this.#pods.delete(keyOf(object));
    this.#wake();
  }

  async #report(pod: RunningPod, exitCode?: number): Promise<void> {
    const { cluster, podAddress, signal } = this.#options;
    const status = pod.status({ address: podAddress, ...(exitCode === undefined ? {} : { exitCode }) });
    const path = `${pathOf(pod)}/status`;
    const answer = await callApi(cluster, { method: "PATCH", path, body: { status }, signal });
    if (answer.status === 200) {
      pod.object = answer.body as JsonObject;
    } else if (answer.status !== 404) {
      assertStatus(answer, `status of pod ${pod.name}`, 200);
    }
  }

  async #delete(pod: RunningPod): Promise<void> {
    const { cluster, signal } = this.#options;
    const body = { gracePeriodSeconds: 0, preconditions: { uid: pod.uid } };
    await callApi(cluster, { method: "DELETE", path: pathOf(pod), body, signal });
  }

  #path(): string {
    return `/api/v1/pods?fieldSelector=${encodeURIComponent(`spec.nodeName=${this.#options.nodeName}`)}`;
  }

  #note(error: unknown): void {
    this.#problem = String(error);
  }

  #wake(): void {
    for (const resolve of this.#waiting) {
      resolve();
    }
    this.#waiting.clear();
  }
}

function keyOf(object: JsonObject): string {
  const metadata = objectAt(object, "metadata");
  return `${textAt(metadata, "namespace")}/${textAt(metadata, "name")}`;
}

function pathOf({ namespace, name }: RunningPod): string {
  return `/api/v1/namespaces/${namespace}/pods/${name}`;
}
