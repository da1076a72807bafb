import { type AdmissionAttributes, type ObjectView, refusal } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { goQuote, isSameState } from "@gatehouse/envelopes/go";
import { booleanAt, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { notFound } from "@gatehouse/envelopes/status";
import { namesConfigMaps, namesSecrets } from "../pod-references.js";
import { isMirrorPod, mirrorAnnotation, nodeOf } from "../pods.js";

/** Views of other objects; as in v1.29 they may be a moment behind. */
export interface Known {
  readonly pods: ObjectView<{ readonly node: string; readonly uid: string }>;
  readonly nodeUids: ObjectView<string>;
}

/** Refuses to a kubelet every write of a pod but the creation of mirror pods and the deletion of pods on its node. */
export function checkPod(node: string, attributes: AdmissionAttributes, known: Known): void {
  switch (attributes.operation) {
    case "CREATE":
      checkMirrorPod(node, attributes, known);
      break;
    case "DELETE":
      if (boundPod(attributes, attributes.name, known).node !== node) {
        const detail = `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`;
        throw refusal(attributes, detail);
      }
      break;
    default:
      throw refusal(
        attributes,
        `unexpected operation ${goQuote(attributes.operation)}, node ${goQuote(node)} can only create and delete mirror pods`,
      );
  }
}

/** Refuses an update by a kubelet of the status of a pod on another node, or of its labels or resource claims. */
export function checkPodStatus(node: string, attributes: AdmissionAttributes): void {
  const { operation, object = {}, oldObject = {} } = attributes;
  const name = goQuote(node);
  if (operation !== "UPDATE") {
    throw refusal(attributes, `unexpected operation ${goQuote(operation)}`);
  }
  if (nodeOf(oldObject) !== node) {
    throw refusal(attributes, `node ${name} can only update pod status for pods with spec.nodeName set to itself`);
  }
  if (!isSameState(labelsOf(object), labelsOf(oldObject))) {
    throw refusal(attributes, `node ${name} cannot update labels through pod status`);
  }
  if (!haveSameClaims(object, oldObject)) {
    throw refusal(attributes, `node ${name} cannot update resource claim statues`);
  }
}

/** Refuses an eviction by a kubelet of a pod on another node. */
export function checkEviction(node: string, attributes: AdmissionAttributes, known: Known): void {
  if (attributes.operation !== "CREATE") {
    throw refusal(attributes, `unexpected operation ${attributes.operation}`);
  }
  const name = attributes.name || (metaOf(attributes.object ?? {}).name ?? "");
  if (name === "") {
    throw refusal(attributes, "could not determine pod from request data");
  }
  if (boundPod(attributes, name, known).node !== node) {
    throw refusal(attributes, `node ${node} can only evict pods with spec.nodeName set to itself`);
  }
}

/** Refuses a token request by a kubelet that is not bound to a pod on its node. */
export function checkTokenRequest(node: string, attributes: AdmissionAttributes, known: Known): void {
  if (attributes.operation !== "CREATE" || attributes.subresource !== "token") {
    return;
  }
  const at = (member: string): string => textAt(attributes.object, "spec", "boundObjectRef", member);
  if (at("apiVersion") !== "v1" || at("kind") !== "Pod" || at("name") === "") {
    throw refusal(attributes, "node requested token not bound to a pod");
  }
  if (at("uid") === "") {
    throw refusal(attributes, "node requested token with a pod binding without a uid");
  }
  const pod = boundPod(attributes, at("name"), known);
  if (pod.uid !== at("uid")) {
    throw refusal(
      attributes,
      `the UID in the bound object reference (${at("uid")}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  if (pod.node !== node) {
    throw refusal(attributes, "node requested token bound to a pod scheduled on a different node");
  }
}

function boundPod(
  { namespace }: AdmissionAttributes,
  name: string,
  { pods }: Known,
): { readonly node: string; readonly uid: string } {
  const pod = pods.get(namespace, name);
  if (pod === undefined) {
    throw notFound({ group: "", resource: "pod" }, name);
  }
  return pod;
}

function checkMirrorPod(node: string, attributes: AdmissionAttributes, known: Known): void {
  const pod = attributes.object as JsonObject;
  const name = goQuote(node);
  const refuse = (detail: string): never => {
    throw refusal(attributes, detail);
  };
  if (!isMirrorPod(pod)) {
    refuse(`pod does not have ${goQuote(mirrorAnnotation)} annotation, node ${name} can only create mirror pods`);
  }
  if (nodeOf(pod) !== node) {
    refuse(`node ${name} can only create pods with spec.nodeName set to itself`);
  }
  const problem = ownerProblem(node, pod, known) ?? referenceProblem(pod);
  if (problem !== undefined) {
    refuse(problem.startsWith("UID ") ? `node ${node} ${problem}` : `node ${name} ${problem}`);
  }
}

function ownerProblem(node: string, pod: JsonObject, { nodeUids }: Known): string | undefined {
  const owners = listAt(pod, "metadata", "ownerReferences");
  const [owner] = owners;
  if (owners.length > 1) {
    return "can only create pods with a single owner reference set to itself";
  }
  if (textAt(owner, "apiVersion") !== "v1" || textAt(owner, "kind") !== "Node" || textAt(owner, "name") !== node) {
    return "can only create pods with an owner reference set to itself";
  }
  if (!booleanAt(owner, "controller")) {
    return "can only create pods with a controller owner reference set to itself";
  }
  if (booleanAt(owner, "blockOwnerDeletion")) {
    return "must not set blockOwnerDeletion on an owner reference";
  }
  const uid = nodeUids.get("", node);
  if (uid === undefined) {
    throw notFound({ group: "", resource: "node" }, node);
  }
  const stated = textAt(owner, "uid");
  return stated === uid ? undefined : `UID mismatch: expected ${stated} got ${uid}`;
}

/**
 * Returns the reason why a mirror pod may not have its references: they would let its kubelet read more than it may.
 */
function referenceProblem(pod: JsonObject): string | undefined {
  const volumes = listAt(pod, "spec", "volumes");
  if (textAt(pod, "spec", "serviceAccountName") !== "") {
    return "can not create pods that reference a service account";
  }
  if (namesSecrets(pod)) {
    return "can not create pods that reference secrets";
  }
  if (namesConfigMaps(pod)) {
    return "can not create pods that reference configmaps";
  }
  const projectsBundle = volumes.some((volume) =>
    listAt(volume, "projected", "sources").some((source) => isSet(source, "clusterTrustBundle")),
  );
  if (projectsBundle) {
    return "can not create pods that reference clustertrustbundles";
  }
  return volumes.some((volume) => isSet(volume, "persistentVolumeClaim"))
    ? "can not create pods that reference persistentvolumeclaims"
    : undefined;
}

function labelsOf(object: JsonObject): JsonObject {
  return { ...metaOf({ metadata: object["metadata"] ?? {} }).labels };
}

function haveSameClaims(pod: JsonObject, old: JsonObject): boolean {
  const [now, before] = [pod, old].map((object) => listAt(object, "status", "resourceClaimStatuses"));
  return (
    now?.length === before?.length &&
    (now ?? []).every(
      (status, index) =>
        textAt(status, "name") === textAt(before?.[index], "name") &&
        isSet(status, "resourceClaimName") === isSet(before?.[index], "resourceClaimName") &&
        textAt(status, "resourceClaimName") === textAt(before?.[index], "resourceClaimName"),
    )
  );
}
