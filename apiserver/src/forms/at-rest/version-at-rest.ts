import { mediaTypes } from "@gatehouse/envelopes/names";
import type { ConvertMembers } from "../../conversion/convert.js";
import type { ValueFormatOptions } from "./value-format-options.js";

/** The form that v1.29 stores, where it is another than could be expected. */
export interface FormAtRest {
  /** The version of the group, one of the older ones, with its conversion. */
  readonly version?: { readonly version: string; readonly fromStored: ConvertMembers };
  /** True if the kind is stored as JSON whatever the media type of the store is. */
  readonly alwaysJson?: boolean;
}

/** A kind that is held in a version. */
interface HeldKind {
  readonly version: string;
  readonly atRest?: FormAtRest | undefined;
}

/** The settings of a store that decide in which version and media type a kind lies in it. */
export type StoreForm = Pick<ValueFormatOptions, "mediaType" | "isShared">;

/** Reports whether the values of a kind lie in a store as JSON. */
export function liesAsJson({ atRest }: Pick<HeldKind, "atRest">, { mediaType }: StoreForm): boolean {
  return atRest?.alwaysJson === true || mediaType === mediaTypes.json;
}

/**
 * Returns the version in which the values of a kind are written to a store. JSON that no other program reads is written
 * as the server holds it.
 */
export function versionAtRest(kind: HeldKind, store: StoreForm): string {
  const isAsHeld = !store.isShared && liesAsJson(kind, store);
  return (isAsHeld ? undefined : kind.atRest?.version?.version) ?? kind.version;
}
