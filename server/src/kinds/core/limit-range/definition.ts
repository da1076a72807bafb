import type { ResourceRow } from "../../define-resource.js";
import { limitRangeDefaults } from "./defaults.js";
import { limitRangeRules } from "./rules.js";

/** What containers, pods and claims of a namespace may ask for. No columns but name and creation time. */
export const limitRangeRow: ResourceRow = {
  resource: "limitranges",
  kind: "LimitRange",
  namespaced: true,
  metadataRechecks: ["object"],
  shortNames: ["limits"],
  storageVersionHash: "EBKMFVe6cwo=",
  allowCreateOnUpdate: true,
  defaultingRules: limitRangeDefaults,
  rules: limitRangeRules,
};
