import { metaOf } from "@gatehouse/apiserver/objects";
import { isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

export const podsResource = Object.freeze({ group: "", resource: "pods" });

/** The lists of containers that a pod has, in the order in which v1.29 looks at them. */
export type ContainerList = "initContainers" | "containers" | "ephemeralContainers";

const allLists: readonly ContainerList[] = ["initContainers", "containers", "ephemeralContainers"];

/** Returns the containers of a pod, all of them or those of some lists, by reference. */
export function containersOf(pod: JsonObject, lists: readonly ContainerList[] = allLists): JsonObject[] {
  return lists.flatMap((list) => listAt(pod, "spec", list).filter(isJsonObject));
}

/** Reports whether the pod is a mirror pod, by which a kubelet shows one that it runs from a file. */
export function isMirrorPod(pod: JsonObject): boolean {
  return Object.hasOwn(metaOf(pod).annotations ?? {}, mirrorAnnotation);
}

/** The annotation that marks mirror pods, set by kubelets. */
export const mirrorAnnotation = "kubernetes.io/config.mirror";

/** Returns the node that the pod is bound to; empty for none. */
export function nodeOf(pod: JsonObject): string {
  return textAt(pod, "spec", "nodeName");
}
