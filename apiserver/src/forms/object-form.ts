import type { EmptyMember } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { Offer } from "../http/negotiation.js";
import type { Caller } from "../request/caller.js";
import type { MaybePromise } from "../request/handler.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import type { RowObjects } from "../tables/build-table.js";
import type { ResourceSchemas } from "./resource-schemas.js";
import type { UnstructuredKind } from "./unstructured-kind.js";

/**
 * The form of the objects of one served version of a resource: how they are read from the store, written to it,
 * compared and shown. There are two: TypedForm for kinds of the IDL, UnstructuredForm for custom kinds. Opened once with
 * the resource.
 *
 * Objects are of the served version unless they are called stored (in the stored version) or rows (as tables and bare
 * metadata are made of them).
 */
export interface ObjectForm extends EntryForm, RowForm {
  readonly schemas: ResourceSchemas;
  /** True if the served version is not the stored one. */
  readonly converts: boolean;
  /** True if the conversion to the stored version works on members that versions may lack: writes keep those. */
  readonly convertsMembers: boolean;
  /** The versions that a custom kind has by its definition; undefined for kinds whose versions the registry knows. */
  readonly versions: UnstructuredKind | undefined;
  /** The representations of objects and lists. */
  readonly offer: Offer;
  /** The representations of watch streams. */
  readonly streamOffer: Offer;
  /** The media types of patches, in the order in which a refusal names them. */
  readonly patchTypes: readonly string[];
  /** The Go type of the objects, with its package, as kube-apiserver writes it in messages. */
  readonly goType: string;

  /** Converts an object to the stored version; a promise where a webhook converts. */
  toStored(object: JsonObject, caller?: Pick<Caller, "signal">): MaybePromise<JsonObject>;
  /** Converts a stored object to the served version; a promise where a webhook may convert. */
  fromStored(stored: JsonObject, caller?: Pick<Caller, "signal">): MaybePromise<JsonObject>;
  /** Returns an object as it will be read once it is stored. */
  roundTrip(object: JsonObject, caller?: Pick<Caller, "signal">): MaybePromise<JsonObject>;
  /** Converts an object, which is not changed, to another served version of its kind. */
  convert(object: JsonObject, to: ObjectForm, caller: Pick<Caller, "signal">): MaybePromise<JsonObject>;

  /** Returns the object before a client states anything: the members that are always written. */
  blank(): JsonObject;
  /** Brings members into wire order, in place, whatever order defaulting, admission and patches have left them in. */
  canonicalize(object: JsonObject): void;
  /**
   * Brings members into wire order, in place, and keeps the empty lists and maps that the store turns into null. Returns
   * them: the caller gives them null once admission has seen the object.
   */
  canonicalizeForAdmission(object: JsonObject): readonly EmptyMember[];
  /** Drops the members that only a Scale may have set in an object. */
  prune(object: JsonObject): JsonObject;
  /** Returns a copy of an object as clients would read it: its members in their order, kind and apiVersion included. */
  present(object: JsonObject): JsonObject;
  /** Returns a bookmark with its members in the order of the objects. */
  presentBookmark(bookmark: JsonObject): JsonObject;
  /** Reports whether two states are the same in every member; a list or map that was sent empty is not an absent one. */
  isSame(object: JsonObject, old: JsonObject): boolean;
}

/** The reading of entries of the cache in the served version. */
export interface EntryForm {
  /** Reports whether the bytes of an entry are those that clients of this version get. */
  isCurrent(entry: CacheEntry): boolean;
  /**
   * Converts entries that a webhook has to convert, all in one go, so that `decode` and `encode` can answer at once.
   * Returns undefined when there are none, as nearly always.
   */
  prepare(entries: readonly CacheEntry[], context?: StepContext): Promise<void> | undefined;
  /** Returns the object of an entry. The caller may change it. */
  decode(entry: CacheEntry): JsonObject;
  /** Returns the JSON of an entry. */
  encode(entry: CacheEntry): Buffer;
}

/** The parts of tables, bare metadata and lists. */
export interface RowForm extends RowObjects {
  /** Returns the row of an entry. */
  decodeRow(entry: CacheEntry): JsonObject;
  /** Returns the row of an object. */
  toRow(object: JsonObject): JsonObject;
  /** Returns the item of a list that shows a row. */
  toItem(row: JsonObject): JsonObject;
  /** Returns the members around the items of a list of this kind. */
  listFrame(listKind: string, metadata: JsonObject): ListFrame;
  /** True if a list in JSON is made of the JSON of its entries, without decoding them. */
  readonly joinsEntries: boolean;
  /** The length in bytes of the beginning of an encoded object that its list item lacks. */
  readonly typeMetaLength: number;
}

/** The members of a list before and behind its items. */
export interface ListFrame {
  readonly head: JsonObject;
  readonly tail: JsonObject;
}
