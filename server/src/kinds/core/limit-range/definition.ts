import { randomUUID } from "node:crypto";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { ResourceRow } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes";
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
