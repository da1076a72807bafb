import type { GroupVersionKind, GroupVersionResource, JsonObject, JsonValue } from "@gatehouse/envelopes";
import type { MaybePromise } from "../request/handler.js";

/** A resource as one version serves it, with the kind that is written there (of a subresource, its own). */
export interface ServedForm {
  readonly resource: GroupVersionResource;
  readonly kind: GroupVersionKind;
}

/** How plugins get at the other forms of an object that is written. Objects given are not changed. */
export interface ObjectForms {
  /** Another value whenever something else is served: what is derived from `equivalents` holds as long as this. */
  readonly served: object;

  /** All served versions of what is stored in one place, the resource itself included, in the order of discovery. */
  equivalents(resource: GroupVersionResource, subresource: string): readonly ServedForm[];

  /** An object in another of its forms. Rejects when it cannot be converted. */
  convert(object: JsonObject, from: ServedForm, to: ServedForm, signal: AbortSignal): MaybePromise<JsonObject>;

  /** An object with its members as clients would read them, in their order, kind and version included. */
  written(object: JsonObject, form: ServedForm): JsonObject;

  /** Reads a document as an object of a form. Throws DecodeError when it is none. */
  read(document: JsonValue, form: ServedForm): JsonObject;

  /** Fills in what may be left out, in place. Returns the bytes that the schema has added; throws 413 for too many. */
  fillDefaults(object: JsonObject, form: ServedForm): number;
}

export function isSameKind(a: GroupVersionKind, b: GroupVersionKind): boolean {
  return a.kind === b.kind && a.version === b.version && a.group === b.group;
}
