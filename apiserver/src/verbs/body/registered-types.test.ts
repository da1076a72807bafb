import assert from "node:assert/strict";
import { test } from "node:test";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { registeredType } from "./registered-types.js";

/** Answers of v1.29 to bodies of a group that state an apiVersion and a kind: the Go type, or undefined where none is registered. */
const answers: readonly (readonly [
  expectedGroup: string,
  apiVersion: string,
  kind: string,
  type: string | undefined,
])[] = [
  ["authentication.k8s.io", "v1", "List", "v1.List"],
  ["authentication.k8s.io", "authentication.k8s.io/v1", "List", undefined],
  ["authentication.k8s.io", "meta.k8s.io/v1", "Table", undefined],
  ["authentication.k8s.io", "v1", "PartialObjectMetadata", undefined],
  ["authentication.k8s.io", "apps/v1", "ApplyOptions", undefined],
  ["authentication.k8s.io", "apps/v1", "UpdateOptions", "v1.UpdateOptions"],
  ["authentication.k8s.io", "apps/v1beta1", "WatchEvent", "v1.WatchEvent"],
  ["authentication.k8s.io", "meta.k8s.io/v1", "UpdateOptions", undefined],
  ["authentication.k8s.io", "apps/v3", "UpdateOptions", undefined],
  ["authentication.k8s.io", "apps/v3", "Status", "v1.Status"],
  ["authentication.k8s.io", "foo/v1", "APIGroup", "v1.APIGroup"],
  ["authentication.k8s.io", "apps/v1beta1", "Scale", "v1beta1.Scale"],
  ["authentication.k8s.io", "autoscaling/v2", "Scale", undefined],
  ["", "admission.k8s.io/v1", "AdmissionReview", "v1.AdmissionReview"],
  ["", "apiregistration.k8s.io/v1", "APIService", undefined],
  ["", "apiextensions.k8s.io/v1", "ListOptions", undefined],
  ["apiextensions.k8s.io", "apiextensions.k8s.io/v1", "ConversionReview", "v1.ConversionReview"],
  ["apiextensions.k8s.io", "v1", "Pod", undefined],
  ["apiextensions.k8s.io", "v1", "ListOptions", "v1.ListOptions"],
  ["apiextensions.k8s.io", "apps/v1", "ListOptions", undefined],
  ["apiregistration.k8s.io", "v1", "Status", "v1.Status"],
];

for (const [expectedGroup, apiVersion, kind, type] of answers) {
  test(`${apiVersion} ${kind} in the place of a kind of ${expectedGroup || "the core group"} is ${type}`, () => {
    assert.equal(registeredType({ ...groupVersionOf(apiVersion), kind }, expectedGroup), type);
  });
}
