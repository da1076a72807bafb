import type { AdmissionPlugin, SortOfWrite } from "@gatehouse/apiserver/admission";
import { quotaEvaluator } from "../../quota/evaluators.js";
import { isIgnoredByQuotas } from "../../quota/ignored-resources.js";
import type { EnabledFeatures } from "../../quota/quota-evaluator.js";
import type { PluginParts } from "../plugin-parts.js";
import { WriteCharging } from "./charge-writes.js";
import { readLimitedResources } from "./configuration.js";

/** ResourceQuota: what is created or grows is charged to the quotas of its namespace, and refused where it does not fit. */
export async function resourceQuota(parts: PluginParts): Promise<AdmissionPlugin> {
  const charging = new WriteCharging(parts, await readLimitedResources(parts.configuration));
  return {
    name: "ResourceQuota",
    concerns: (sort) => counts(sort, parts.features),
    validate: (attributes) => (attributes.namespace === "" ? undefined : charging.charge(attributes)),
  };
}

function counts({ operation, resource, subresource }: SortOfWrite, features: EnabledFeatures): boolean {
  if (subresource !== "" || isIgnoredByQuotas(resource)) {
    return false;
  }
  const isNamespace = resource.group === "" && resource.resource === "namespaces";
  return operation === "CREATE" ? !isNamespace : operation === "UPDATE" && quotaEvaluator(resource).changes(features);
}
