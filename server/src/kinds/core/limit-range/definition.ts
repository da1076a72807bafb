import { randomUUID } from "node:crypto";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { KindDefinition } from "@gatehouse/apiserver/registry";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { limitRangeValidation } from "./validation.js";

/**
 * The definition of LimitRange, bounds for containers, pods and claims of a namespace. No columns but name and creation
 * time.
 */
export const limitRangeDefinition: KindDefinition = {
  resource: "limitranges",
  kind: "LimitRange",
  namespaced: true,
  shortNames: ["limits"],
  storageVersionHash: "EBKMFVe6cwo=",
  strategy: {
    validation: limitRangeValidation,
    metadata: { rechecks: ["object"] },
    create: { prepareForCreate: nameIfNameless },
    update: { allowCreateOnUpdate: true },
  },
};

/** Gives a nameless limit range a random name, as v1.29 does. */
function nameIfNameless(limitRange: JsonObject): void {
  const meta = metaOf(limitRange);
  if (meta.name === undefined || meta.name === "") {
    meta.name = randomUUID();
  }
}
