import type { JsonObject, JsonValue } from "@gatehouse/envelopes";
import type { ResourceDefinition } from "../catalogue/resource-definition.js";
import { defineResources, type ResourceRow, statusSubresource } from "./define-resource.js";

const group = "admissionregistration.k8s.io";

/** The two versions of admission policies show the same objects. */
const policyRows: readonly ResourceRow[] = [
  {
    resource: "validatingadmissionpolicies",
    kind: "ValidatingAdmissionPolicy",
    namespaced: false,
    categories: ["api-extensions"],
    subresources: [statusSubresource],
    storageVersionHash: "P/h9c6yIbaY=",
    servedByDefault: false,
    allowUnconditionalUpdate: false,
    hasGeneration: true,
    metadataOnStatusUpdate: "kept",
  },
  {
    resource: "validatingadmissionpolicybindings",
    kind: "ValidatingAdmissionPolicyBinding",
    namespaced: false,
    categories: ["api-extensions"],
    storageVersionHash: "XYju31JKYek=",
    servedByDefault: false,
    allowUnconditionalUpdate: false,
    hasGeneration: true,
  },
];

/** The list of webhooks is all that there is. */
function webhooks(configuration: JsonObject): JsonValue | undefined {
  return configuration["webhooks"];
}

/** Admission webhooks and policies. */
export const admissionregistrationResources: readonly ResourceDefinition[] = [
  ...defineResources(group, "v1", [
    {
      resource: "mutatingwebhookconfigurations",
      kind: "MutatingWebhookConfiguration",
      namespaced: false,
      categories: ["api-extensions"],
      storageVersionHash: "Sqi0GUgDaX0=",
      allowUnconditionalUpdate: false,
      hasGeneration: true,
      desiredState: webhooks,
    },
    {
      resource: "validatingwebhookconfigurations",
      kind: "ValidatingWebhookConfiguration",
      namespaced: false,
      categories: ["api-extensions"],
      storageVersionHash: "B0wHjQmsGNk=",
      allowUnconditionalUpdate: false,
      hasGeneration: true,
      desiredState: webhooks,
    },
  ]),
  ...defineResources(group, "v1beta1", policyRows),
  ...defineResources(
    group,
    "v1alpha1",
    policyRows.map((row) => ({ ...row, storage: { version: "v1beta1" } })),
  ),
];
