import type { JsonObject } from "@gatehouse/envelopes/json";
import type { DeleteOptions } from "./delete-options.js";
import type { WriteOptions } from "./write-options.js";

const apiVersion = "meta.k8s.io/v1";

/** Returns the options of a create or update as the object that admission sees. A patch is one of the two. */
export function writeOptionsObject(kind: "CreateOptions" | "UpdateOptions", options: WriteOptions): JsonObject {
  const { dryRun, fieldManager, fieldValidation, asksForFieldValidation } = options;
  const object: JsonObject = { kind, apiVersion };
  if (dryRun) {
    object["dryRun"] = ["All"];
  }
  if (fieldManager !== "") {
    object["fieldManager"] = fieldManager;
  }
  if (asksForFieldValidation) {
    object["fieldValidation"] = fieldValidation;
  }
  return object;
}

/** Returns the options of a delete as the object that admission sees. */
export function deleteOptionsObject(options: DeleteOptions): JsonObject {
  const { gracePeriodSeconds, preconditions, orphanDependents, propagationPolicy, dryRun } = options;
  return {
    kind: "DeleteOptions",
    apiVersion,
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(preconditions === undefined ? {} : { preconditions: { ...preconditions } }),
    ...(orphanDependents === undefined ? {} : { orphanDependents }),
    ...(propagationPolicy === undefined ? {} : { propagationPolicy }),
    ...(dryRun ? { dryRun: ["All"] } : {}),
  };
}
