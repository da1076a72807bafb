import {
  type Controller,
  type ControllerOptions,
  forEachLimited,
  isNotFound,
  isTerminating,
  reconcile,
  type WorkResult,
} from "@gatehouse/apiserver/client";
import { metaOf, timestamp } from "@gatehouse/apiserver/objects";
import type { CacheEntry } from "@gatehouse/apiserver/storage";
import type { PodTermination } from "@gatehouse/apiserver/verbs";
import { conditionOfType, type JsonObject, ownList, ownObject, textAt } from "@gatehouse/envelopes/json";
import { hasEnded } from "../pods/has-ended.js";
import { nodes, pods } from "./core-resources.js";
import { isOutOfService } from "./out-of-service-nodes.js";

/** The options of the pod garbage collector. */
export interface PodGarbageCollectorOptions extends ControllerOptions {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly podTermination: PodTermination;
  /** Milliseconds that a node may be missing before its pods are given up; 40 seconds by default, as in v1.29. */
  readonly quarantineMs?: number;
}

const nodeNameMark = Buffer.from('"nodeName":"');
const quote = 0x22;
const deletionsAtATime = 20;

/**
 * Deletes pods that nobody else will: those on nodes that do not exist, after a quarantine, and terminating ones that are
 * on no node, or on one that is out of service. With `--pod-termination=immediate` it also deletes those that were waiting
 * for a kubelet when the server started. What kubelets and workload controllers do is not done here.
 */
export function podGarbageCollector(options: PodGarbageCollectorOptions): Controller {
  const { quarantineMs = 40_000, client } = options;
  /** The times at which missing nodes were first missed. */
  const missingSince = new Map<string, number>();
  const workOnNode = async (name: string): Promise<WorkResult> => {
    if ((await client.get(nodes, "", name)) !== undefined) {
      missingSince.delete(name);
      if (isOutOfServiceNode(options, name)) {
        await forEachPodOn(options, name, (pod) => deleteTerminating(options, pod));
      }
      return undefined;
    }
    const since = missingSince.get(name) ?? performance.now();
    missingSince.set(name, since);
    const waitMs = since + quarantineMs - performance.now();
    if (waitMs > 0) {
      return { afterMs: waitMs };
    }
    missingSince.delete(name);
    await forEachPodOn(options, name, (pod) => failAndDelete(options, pod, orphanedCondition(options.now())));
    return undefined;
  };
  return {
    name: "pod-garbage-collector-controller",
    run: (signal) =>
      reconcile({
        ...options,
        signal,
        concurrency: deletionsAtATime,
        sources: [
          // First, so that the nodes are known when the pods come.
          {
            resource: nodes,
            keyOf: ({ name, entry }, event) =>
              event === "DELETED" || isOutOfService(entry) ? nodeKey(name) : undefined,
          },
          { resource: pods, keyOf: (pod, event) => (event === "DELETED" ? undefined : keyOfPod(options, pod)) },
        ],
        work: (key) =>
          key.startsWith(nodePrefix)
            ? workOnNode(key.slice(nodePrefix.length))
            : deleteTerminatingAt(options, key.slice(podPrefix.length)),
      }),
  };
}

const nodePrefix = "node ";
const podPrefix = "pod ";

function nodeKey(name: string): string {
  return nodePrefix + name;
}

function isOutOfServiceNode({ client }: PodGarbageCollectorOptions, name: string): boolean {
  const node = client.cached(nodes, "", name);
  return node !== undefined && isOutOfService(node);
}

/** Returns the key to work on for a pod, from its bytes: most pods are on a node that exists and have none. */
function keyOfPod(
  options: PodGarbageCollectorOptions,
  { namespace, name, entry }: { readonly namespace: string; readonly name: string; readonly entry: CacheEntry },
): string | undefined {
  const { client, podTermination } = options;
  const named = namedNodes(entry.bytes);
  if (isTerminating(entry)) {
    const isDue =
      named.length === 0 || podTermination === "immediate" || named.some((node) => isOutOfServiceNode(options, node));
    if (isDue) {
      return `${podPrefix}${namespace}/${name}`;
    }
  }
  if (named.length === 0) {
    return undefined;
  }
  if (named.every((node) => client.cached(nodes, "", node) !== undefined)) {
    return undefined;
  }
  const node = textAt(entry.object(), "spec", "nodeName");
  return node === "" || client.cached(nodes, "", node) !== undefined ? undefined : nodeKey(node);
}

/** Returns every value of a member `nodeName`, at any depth. */
function namedNodes(bytes: Buffer): readonly string[] {
  const names: string[] = [];
  for (let at = bytes.indexOf(nodeNameMark); at >= 0; at = bytes.indexOf(nodeNameMark, at + 1)) {
    const start = at + nodeNameMark.length;
    names.push(bytes.toString("utf8", start, bytes.indexOf(quote, start)));
  }
  return names;
}

async function forEachPodOn(
  options: PodGarbageCollectorOptions,
  node: string,
  work: (pod: JsonObject) => Promise<void>,
): Promise<void> {
  const mark = Buffer.from(`"nodeName":${JSON.stringify(node)}`);
  const candidates = (await options.client.list(pods, "")).filter(({ entry }) => entry.bytes.includes(mark));
  const errors = await forEachLimited(candidates, deletionsAtATime, async ({ namespace, name }) => {
    const pod = await options.client.get(pods, namespace, name);
    if (pod !== undefined && textAt(pod, "spec", "nodeName") === node) {
      await work(pod);
    }
  });
  if (errors.length > 0) {
    throw errors[0];
  }
}

async function deleteTerminatingAt(options: PodGarbageCollectorOptions, path: string): Promise<undefined> {
  const slash = path.indexOf("/");
  const pod = await options.client.get(pods, path.slice(0, slash), path.slice(slash + 1));
  if (pod !== undefined) {
    await deleteTerminating(options, pod);
  }
  return undefined;
}

async function deleteTerminating(options: PodGarbageCollectorOptions, pod: JsonObject): Promise<void> {
  const { deletionTimestamp, deletionGracePeriodSeconds } = metaOf(pod);
  if (deletionTimestamp === undefined) {
    return;
  }
  const node = textAt(pod, "spec", "nodeName");
  if (node === "" || isOutOfServiceNode(options, node)) {
    await failAndDelete(options, pod, undefined);
  } else if (options.podTermination === "immediate" && Number(deletionGracePeriodSeconds ?? 0) > 0) {
    await deleteNow(options, pod);
  }
}

function orphanedCondition(nowMs: number): JsonObject {
  return {
    type: "DisruptionTarget",
    status: "True",
    lastProbeTime: null,
    lastTransitionTime: timestamp(nowMs),
    reason: "DeletionByPodGC",
    message: "PodGC: node no longer exists",
  };
}

/**
 * Marks a pod as failed, then deletes it: no kubelet will report its end, and controllers count pods by their phase.
 */
async function failAndDelete(
  options: PodGarbageCollectorOptions,
  pod: JsonObject,
  condition: JsonObject | undefined,
): Promise<void> {
  const { namespace = "", name = "", uid } = metaOf(pod);
  try {
    await options.client.update(pods, { namespace, name, subresource: "status" }, (current) =>
      metaOf(current).uid === uid ? failed(current, condition) : undefined,
    );
  } catch (error) {
    if (!isNotFound(error)) {
      throw error;
    }
  }
  await deleteNow(options, pod);
}

async function deleteNow({ client }: PodGarbageCollectorOptions, pod: JsonObject): Promise<void> {
  const { namespace = "", name = "", uid } = metaOf(pod);
  await client.delete(pods, namespace, name, {
    gracePeriodSeconds: 0,
    ...(uid === undefined ? {} : { preconditions: { uid } }),
  });
}

function failed(pod: JsonObject, condition: JsonObject | undefined): JsonObject | undefined {
  if (hasEnded(pod)) {
    return undefined;
  }
  const status = ownObject(pod, "status");
  status["phase"] = "Failed";
  if (condition !== undefined) {
    const conditions = ownList(status, "conditions");
    const known = conditionOfType(conditions, "DisruptionTarget");
    if (known === undefined) {
      conditions.push(condition);
    } else {
      Object.assign(known, condition);
    }
  }
  return pod;
}
