import type { CacheEntry } from "@gatehouse/apiserver/storage";
import { conditionOfType, listAt, textAt } from "@gatehouse/envelopes/json";

const taintKey = "node.kubernetes.io/out-of-service";
const mark = Buffer.from(taintKey);

/**
 * Reports whether somebody has said of a node that it is shut down, and its kubelet does not say otherwise: nothing on it will
 * report its end.
 */
export function isOutOfService(node: CacheEntry): boolean {
  // Most nodes are not, and are not parsed.
  return node.bytes.includes(mark) && isTainted(node) && !isReady(node);
}

function isTainted(node: CacheEntry): boolean {
  return listAt(node.object(), "spec", "taints").some((taint) => textAt(taint, "key") === taintKey);
}

function isReady(node: CacheEntry): boolean {
  const ready = conditionOfType(listAt(node.object(), "status", "conditions"), "Ready");
  return ready !== undefined && textAt(ready, "status") === "True";
}
