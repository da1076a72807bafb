import type { JsonObject } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import { metaOf } from "../../objects/object-meta.js";
import type { OperationScope } from "../request-scope.js";

/**
 * Sets the namespace of the path; throws when the body has a different one. Objects of cluster-scoped resources lose
 * theirs.
 */
export function checkNamespace(object: JsonObject, { served, caller }: OperationScope): void {
  const meta = metaOf(object);
  if (!served.namespaced) {
    delete meta.namespace;
  } else if (meta.namespace === undefined || meta.namespace === "") {
    meta.namespace = caller.info.namespace;
  } else if (meta.namespace !== caller.info.namespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** Checks namespace and name of an object that replaces another: both are those of the path. */
export function checkIdentity(object: JsonObject, scope: OperationScope): void {
  checkNamespace(object, scope);
  const { name } = metaOf(object);
  const requestName = scope.caller.info.name;
  if (name === undefined || name === "") {
    throw badRequest(`the name of the object (${requestName} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== requestName) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${requestName})`);
  }
}
