import type { ResourceDefinition } from "@gatehouse/apiserver/registry";
import { autoscalerForms } from "./autoscaling.js";
import { certificateForms } from "./certificates.js";
import { clusterForms } from "./cluster.js";
import { extensionForms } from "./extensions.js";
import { networkForms } from "./networking.js";
import { policyForms } from "./policy.js";
import type { StoredFormTable } from "./stored-form.js";
import { workloadForms } from "./workloads.js";

const forms: StoredFormTable = {
  ...workloadForms,
  ...autoscalerForms,
  ...certificateForms,
  ...networkForms,
  ...policyForms,
  ...clusterForms,
  ...extensionForms,
};

/** Returns a definition with the versions in which v1.29 stores and reads its objects. */
export function withStoredForm(definition: ResourceDefinition): ResourceDefinition {
  const { storage } = definition;
  const form = storage === undefined ? undefined : forms[storage.prefix];
  return storage === undefined || form === undefined
    ? definition
    : Object.freeze({ ...definition, storage: { ...storage, ...form } });
}
