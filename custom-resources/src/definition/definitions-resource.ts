import type { GroupResource } from "@gatehouse/envelopes/status";

/** The resource of CustomResourceDefinitions. */
export const customResourceDefinitions: GroupResource = Object.freeze({
  group: "apiextensions.k8s.io",
  resource: "customresourcedefinitions",
});
