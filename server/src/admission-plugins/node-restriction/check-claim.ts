import { type AdmissionAttributes, refusal } from "@gatehouse/apiserver/admission";
import { goDiff, goQuote, isSameState } from "@gatehouse/envelopes/go";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";

/** Refuses an update by a kubelet of anything but capacity and conditions in the status of a claim. */
export function checkClaimStatus(node: string, attributes: AdmissionAttributes, recoversExpansion: boolean): void {
  const { operation, object = {}, oldObject = {} } = attributes;
  if (operation !== "UPDATE") {
    throw refusal(attributes, `unexpected operation ${goQuote(operation)}`);
  }
  const [now, before] = [object, oldObject].map((claim) => withoutOwn(claim, recoversExpansion)) as [
    JsonObject,
    JsonObject,
  ];
  if (!isSameState(now, before)) {
    const diff = goDiff("k8s.io.api.core.v1.PersistentVolumeClaim", before, now);
    throw refusal(
      attributes,
      `node ${goQuote(node)} is not allowed to update fields other than status.capacity and status.conditions: ${asPointer(diff)}`,
    );
  }
}

/** Adds an `&` to the type names in a diff: v1.29 compares pointers. */
function asPointer(diff: string): string {
  return diff.replace(/(?=core\.PersistentVolumeClaim\{)/, "&");
}

/** Returns a claim without the members that kubelets write, that always differ, or that are not held in memory. */
function withoutOwn({ kind: _kind, apiVersion: _group, ...claim }: JsonObject, recoversExpansion: boolean): JsonObject {
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = objectAt(claim, "metadata");
  const { capacity: _capacity, conditions: _conditions, ...status } = objectAt(claim, "status");
  if (recoversExpansion) {
    delete status["allocatedResourceStatuses"];
    delete status["allocatedResources"];
  }
  return { ...claim, metadata, status };
}
