import { type AdmissionAttributes, refusal } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import { goQuote, isSameState } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, valueAt } from "@gatehouse/envelopes/json";
import { forbiddenLabels } from "./node-labels.js";

/** Refuses a write by a kubelet of another node, or of the taints, restricted labels or configSource of its own. */
export function checkNode(node: string, attributes: AdmissionAttributes): void {
  const { operation, object = {}, oldObject = {} } = attributes;
  const name = goQuote(node);
  const requested = attributes.name || (metaOf(object).name ?? "");
  if (requested !== node) {
    throw refusal(attributes, `node ${name} is not allowed to modify node ${goQuote(requested)}`);
  }
  if (operation === "CREATE") {
    if (isSet(object, "spec", "configSource")) {
      throw refusal(attributes, `node ${name} is not allowed to create pods with a non-nil configSource`);
    }
    const labels = forbiddenLabels(labelsOf(object), {});
    if (labels.length > 0) {
      throw refusal(attributes, `node ${name} is not allowed to set the following labels: ${labels.join(", ")}`);
    }
  }
  if (operation === "UPDATE") {
    const source = valueAt(object, "spec", "configSource");
    if (isSet(object, "spec", "configSource") && !isSameState(source, valueAt(oldObject, "spec", "configSource"))) {
      throw refusal(attributes, `node ${name} is not allowed to update configSource to a new non-nil configSource`);
    }
    if (!isSameState(valueAt(object, "spec", "taints"), valueAt(oldObject, "spec", "taints"))) {
      throw refusal(attributes, `node ${name} is not allowed to modify taints`);
    }
    const labels = forbiddenLabels(labelsOf(object), labelsOf(oldObject));
    if (labels.length > 0) {
      throw refusal(attributes, `is not allowed to modify labels: ${labels.join(", ")}`);
    }
  }
}

/** Refuses a write by a kubelet of a lease other than the heartbeat of its own node. */
export function checkLease(node: string, attributes: AdmissionAttributes): void {
  if (attributes.namespace !== "kube-node-lease") {
    throw refusal(attributes, 'can only access leases in the "kube-node-lease" system namespace');
  }
  refuseOthers(node, attributes, "can only access node lease with the same name as the requesting node");
}

/** Refuses a write by a kubelet of the CSINode of another node. */
export function checkCsiNode(node: string, attributes: AdmissionAttributes): void {
  refuseOthers(node, attributes, "can only access CSINode with the same name as the requesting node");
}

function refuseOthers(node: string, attributes: AdmissionAttributes, detail: string): void {
  const { operation, object = {}, name } = attributes;
  if ((operation === "CREATE" ? metaOf(object).name : name) !== node) {
    throw refusal(attributes, detail);
  }
}

function labelsOf(object: JsonObject): Readonly<Record<string, string>> {
  return metaOf({ metadata: object["metadata"] ?? {} }).labels ?? {};
}
