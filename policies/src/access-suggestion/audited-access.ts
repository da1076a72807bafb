import { type AttributedEvent, auditAttributesOf } from "../audit/audit-attributes.js";

/** An access that a request needed, as an RBAC rule would name it. */
export type AuditedAccess = ResourceAccess | PathAccess;

/** A verb on a resource. */
export interface ResourceAccess {
  readonly verb: string;
  readonly apiGroup: string;
  /** Plural name, followed by `/` and the subresource if there is one. */
  readonly resource: string;
  /** The namespace; empty for cluster-scoped objects, and for requests across all namespaces. */
  readonly namespace: string;
  /** The name of the object; empty for requests without one: lists, creations. */
  readonly name: string;
}

/** A verb on a path that is no resource. */
export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** Reports whether an access is to a path, not to a resource. */
export function isPathAccess(access: AuditedAccess): access is PathAccess {
  return "path" in access;
}

/**
 * Returns the access that the request of an event needed, as the authorizer saw it. `objectRef` is no source for that:
 * it is absent from lists of some servers, and holds the name of a created object, which no rule can name.
 */
export function auditedAccess(event: AttributedEvent): AuditedAccess {
  const { isResourceRequest, verb, path, group, resource, subresource, namespace, name } =
    auditAttributesOf(event).request;
  return isResourceRequest
    ? { verb, apiGroup: group, resource: subresource === "" ? resource : `${resource}/${subresource}`, namespace, name }
    : { verb, path };
}
