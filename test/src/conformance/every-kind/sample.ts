import type { JsonObject } from "@gatehouse/envelopes/json";

/**
 * Behaviour of `metadata.generation` of a kind in v1.29: absent, fixed at 1, or a count of changes, which starts with 1
 * or absent.
 */
export type Generation = "none" | "fixed" | "counted" | "counted from nothing";

/**
 * One kind as a person would write it, and what v1.29 makes of it. Facts are written down here a second time on purpose:
 * the tables of the server are what is tested. Objects that stand for parts of an object (`defaults`, `change`) are laid
 * over it: members of structs by name, items of lists by place.
 */
export interface Sample {
  /** The smallest object that makes sense; `$n` is another digit in each object of a test. */
  readonly yaml: string;
  /** Members that v1.29 adds to it. */
  readonly defaults?: JsonObject;
  /** Members that it adds with every feature on, in addition to `defaults`. */
  readonly featureDefaults?: JsonObject;
  /** Members that the server takes away again, because they are another way to write something. */
  readonly writeOnly?: readonly string[];
  /** A change that v1.29 accepts, of the desired state where anything in it can be changed. */
  readonly change: JsonObject;
  /** Members that the server changes beside the change itself. */
  readonly changeEffects?: JsonObject;
  readonly generation?: Generation;
  /** The change above is none of the desired state. */
  readonly changeDoesNotCount?: true;
  /** Members of metadata that generation counts, too. */
  readonly countsMetadata?: "labels" | "annotations";
  /** Status as a controller would write it to /status. */
  readonly status?: JsonObject;
  /** Further members that change with that status. */
  readonly statusEffects?: JsonObject;
  /** Writes of the object write its status, too. */
  readonly statusIsPartOfObject?: true;
  /** Set when the status of a created object is kept. */
  readonly statusOnCreate?: "kept";
  /** Metadata that a write to /status changes; labels and annotations when absent. */
  readonly statusWrites?: "annotations" | "no metadata";
  /** DELETE answers with the object as it was. */
  readonly deleteReturnsObject?: true;
  /** DELETE leaves a terminating object that a controller has to finish. */
  readonly lingers?: true;
  /** PUT of a name that does not exist creates the object. */
  readonly createdByUpdate?: true;
  /** PUT without resourceVersion is refused. */
  readonly needsResourceVersion?: true;
  /** Members that hold the time or something random; they are there, and not compared. */
  readonly volatile?: readonly string[];
}
