import { randomUUID } from "node:crypto";
import type { JsonObject } from "@gatehouse/envelopes";
import { metaOf } from "../../../objects/object-meta.js";
import type { ResourceRow } from "../../define-resource.js";
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
  prepareForCreate: nameIfNameless,
  rules: limitRangeRules,
};

/** v1.29 makes up a name. */
function nameIfNameless(limitRange: JsonObject): void {
  const meta = metaOf(limitRange);
  if (meta.name === undefined || meta.name === "") {
    meta.name = randomUUID();
  }
}
