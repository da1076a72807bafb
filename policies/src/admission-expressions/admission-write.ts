import type { JsonObject } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { GroupVersionKind, GroupVersionResource } from "@gatehouse/envelopes/schema";
import type { AuthorizationSource } from "../cel/index.js";

/** A write that rules, selectors and policies are asked about. Work for it ends with its signal. */
export interface AdmissionWrite extends StepContext {
  readonly operation: string;
  /** The kind that is written; for a subresource, its own. */
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  /** The subresource; empty for none. */
  readonly subresource: string;
  /** The namespace of the object; for a namespace, its own name. Empty for cluster-scoped objects. */
  readonly namespace: string;
  /** The name of the object; empty until a name is generated. */
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** The parts of a write that the variables `request` and `authorizer` are made of. Each is asked for when first used. */
export interface ExpressionSource {
  /** Makes the variable `request`. `kind` and `resource`: those of the form in which expressions see the object. */
  request(kind: GroupVersionKind, resource: GroupVersionResource): JsonObject;
  /** Returns the authorizer for the user who writes; undefined where the variable is not available. */
  authorization(): AuthorizationSource | undefined;
}

/** A resource as one version serves it, with the kind that is written there (for a subresource, its own). */
export interface ServedForm {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** The forms in which resources are served. */
export interface ServedForms {
  /** Lists all served versions of a stored resource, the resource itself included, in the order of discovery. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly ServedForm[];
}

/**
 * The objects of a write in the version that expressions are written for: a write has those in its own version. They are
 * read in place and not changed.
 */
export interface VersionedObjects {
  readonly kind: GroupVersionKind;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/** Reports whether two kinds are the same, version included. */
export function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}
