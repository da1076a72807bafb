import type { ConvertMembers } from "./convert.js";

/** A version of a kind, other than the one that the server holds, in which objects may be stored. */
export interface OlderVersion {
  readonly group: string;
  readonly version: string;
  /**
   * Converts the members of an object to the version that the server holds, and fills in the defaults that are not those of
   * that version. Does not change the object.
   */
  readonly toStored: ConvertMembers;
  /** True if `toStored` leaves members absent that have a default in the version that the server holds. */
  readonly isComplete?: boolean;
}

/** Returns versions of a group that differ from the one that the server holds in nothing but their names. */
export function versionsOfSameShape(group: string, ...versions: readonly string[]): readonly OlderVersion[] {
  return versions.map((version) => ({ group, version, toStored: (object) => object }));
}
