import type { ResourceRow } from "../../define-resource.js";
import { limitRangeDefaults } from "./defaults.js";

export const limitRangeRow: ResourceRow = {
  resource: "limitranges",
  kind: "LimitRange",
  namespaced: true,
  shortNames: ["limits"],
  storageVersionHash: "EBKMFVe6cwo=",
  allowCreateOnUpdate: true,
  defaultingRules: limitRangeDefaults,
};
