import { type AttributedEvent, auditAttributesOf } from "../audit/audit-attributes.js";

/** One thing that a request asked to be allowed to do, as an RBAC rule would have to name it. */
export type AuditedAccess = ResourceAccess | PathAccess;

/** A verb on a resource. */
export interface ResourceAccess {
  readonly verb: string;
  readonly apiGroup: string;
  /** Plural name, followed by `/` and the subresource if there is one. */
  readonly resource: string;
  /** Empty for what lies in no namespace, and for requests across all of them. */
  readonly namespace: string;
  /** Empty where the authorizer was told no name: lists, creations. */
  readonly name: string;
}

/** A verb on a path that is no resource. */
export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** Whether an access is to a path, not to a resource. */
export function isPathAccess(access: AuditedAccess): access is PathAccess {
  return "path" in access;
}

/**
 * What the request of an event needed to be allowed: what the authorizer was told, which `objectRef` is not. That is
 * absent from lists of some servers, and holds the name of a created object, which no rule can ask for.
 */
export function auditedAccess(event: AttributedEvent): AuditedAccess {
  const { isResourceRequest, verb, path, group, resource, subresource, namespace, name } =
    auditAttributesOf(event).request;
  return isResourceRequest
    ? { verb, apiGroup: group, resource: subresource === "" ? resource : `${resource}/${subresource}`, namespace, name }
    : { verb, path };
}
