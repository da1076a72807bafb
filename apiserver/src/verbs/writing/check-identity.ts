import type { JsonObject } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import { metaOf } from "../../objects/object-meta.js";
import type { ServedResource } from "../../registry/served-resource.js";

/**
 * Sets the namespace of the path; throws when the body has a different one. Objects of cluster-scoped resources lose
 * theirs.
 */
export function checkNamespace(object: JsonObject, served: ServedResource, requestNamespace: string): void {
  const meta = metaOf(object);
  if (!served.namespaced) {
    delete meta.namespace;
  } else if (meta.namespace === undefined || meta.namespace === "") {
    meta.namespace = requestNamespace;
  } else if (meta.namespace !== requestNamespace) {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
}

/** Checks that an object that replaces another has the name of the path. */
export function checkName(object: JsonObject, requestName: string): void {
  const { name } = metaOf(object);
  if (name === undefined || name === "") {
    throw badRequest(`the name of the object (${requestName} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== requestName) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${requestName})`);
  }
}
