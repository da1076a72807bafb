import { type ConfigDocument, checkConfigDocument } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import type { apiserverconfigV1 } from "@gatehouse/envelopes/types";
import type { LimitedResource } from "./check-write.js";

const kinds = [
  { group: "apiserver.config.k8s.io", version: "v1", kind: "ResourceQuotaConfiguration" },
  { group: "resourcequota.admission.k8s.io", version: "v1beta1", kind: "Configuration" },
  { group: "resourcequota.admission.k8s.io", version: "v1alpha1", kind: "Configuration" },
];

/** Reads the limited resources from the configuration of the plugin; empty without one. Throws ConfigurationError. */
export async function readLimitedResources(document: ConfigDocument | undefined): Promise<readonly LimitedResource[]> {
  if (document === undefined) {
    return [];
  }
  // All versions have the same members.
  const { limitedResources } = await checkConfigDocument<apiserverconfigV1.ResourceQuotaConfiguration>(document, kinds);
  const problems = (limitedResources ?? []).flatMap(({ resource }, index) =>
    resource === "" ? [problemAt(`limitedResources[${index}].resource`, "is required")] : [],
  );
  if (problems.length > 0) {
    throw new ConfigurationError(document.subject, problems);
  }
  return (limitedResources ?? []).map(({ apiGroup, resource, matchContains, matchScopes }) => ({
    group: apiGroup ?? "",
    resource,
    matchContains: matchContains ?? [],
    matchScopes: (matchScopes ?? []).map(({ scopeName, operator, values }) => ({
      name: scopeName ?? "",
      operator: operator ?? "",
      values: values ?? [],
    })),
  }));
}
