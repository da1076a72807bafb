import { defineResources, type ResourceDefinition } from "@gatehouse/apiserver/registry";
import { mutatingWebhookConfigurationRow } from "./mutating-webhook-configuration.js";
import {
  validatingAdmissionPolicyAlphaRow,
  validatingAdmissionPolicyRow,
} from "./validating-admission-policy/definition.js";
import {
  validatingAdmissionPolicyBindingAlphaRow,
  validatingAdmissionPolicyBindingRow,
} from "./validating-admission-policy-binding/definition.js";
import { validatingWebhookConfigurationRow } from "./validating-webhook-configuration.js";

/** The resources of admissionregistration.k8s.io; both versions of the policies show the same objects. */
export const admissionregistrationResources: readonly ResourceDefinition[] = [
  ...defineResources("admissionregistration.k8s.io", "v1", [
    mutatingWebhookConfigurationRow,
    validatingWebhookConfigurationRow,
  ]),
  ...defineResources("admissionregistration.k8s.io", "v1beta1", [
    validatingAdmissionPolicyRow,
    validatingAdmissionPolicyBindingRow,
  ]),
  ...defineResources("admissionregistration.k8s.io", "v1alpha1", [
    validatingAdmissionPolicyAlphaRow,
    validatingAdmissionPolicyBindingAlphaRow,
  ]),
];
