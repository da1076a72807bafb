import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { mutatingWebhookConfigurationDefinition } from "./mutating-webhook-configuration.js";
import {
  validatingAdmissionPolicyAlphaDefinition,
  validatingAdmissionPolicyDefinition,
} from "./validating-admission-policy/definition.js";
import {
  validatingAdmissionPolicyBindingAlphaDefinition,
  validatingAdmissionPolicyBindingDefinition,
} from "./validating-admission-policy-binding/definition.js";
import { validatingWebhookConfigurationDefinition } from "./validating-webhook-configuration.js";

/** The resources of admissionregistration.k8s.io; both versions of the policies show the same objects. */
export const admissionregistrationResources: readonly ResourceDefinition[] = [
  ...defineResources("admissionregistration.k8s.io", "v1", [
    mutatingWebhookConfigurationDefinition,
    validatingWebhookConfigurationDefinition,
  ]),
  ...defineResources("admissionregistration.k8s.io", "v1beta1", [
    validatingAdmissionPolicyDefinition,
    validatingAdmissionPolicyBindingDefinition,
  ]),
  ...defineResources("admissionregistration.k8s.io", "v1alpha1", [
    validatingAdmissionPolicyAlphaDefinition,
    validatingAdmissionPolicyBindingAlphaDefinition,
  ]),
];
