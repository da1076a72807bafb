import { badRequest, type JsonObject } from "@gatehouse/envelopes";
import { metaOf } from "../../objects/object-meta.js";
import type { ServedResource } from "../../registry/served-resource.js";

/**
 * The namespace of the path is the one the object gets; a different one in the body is a mistake. Objects that are in no
 * namespace lose what they say of one.
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

/** An object that takes the place of the one in the path must have its name. */
export function checkName(object: JsonObject, requestName: string): void {
  const { name } = metaOf(object);
  if (name === undefined || name === "") {
    throw badRequest(`the name of the object (${requestName} based on URL) was undeterminable: name must be provided`);
  }
  if (name !== requestName) {
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${requestName})`);
  }
}
