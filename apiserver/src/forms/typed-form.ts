import { copyJson, decodeJson, type EmptyHandling, type EmptyMember, encodeJson } from "@gatehouse/envelopes/codec";
import { type JsonObject, objectAt } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { apiVersionOf, type GroupVersionKind, type KindSchema, kindSchema } from "@gatehouse/envelopes/schema";
import { type Conversion, convert } from "../conversion/convert.js";
import { customOffer, customStreamOffer, type Offer, objectOffer, streamOffer } from "../http/negotiation.js";
import { isSameBySchema } from "../objects/is-same-by-schema.js";
import { metaOf } from "../objects/object-meta.js";
import type { Caller } from "../request/caller.js";
import type { MaybePromise } from "../request/handler.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { internalPackage } from "./internal-package.js";
import type { ListFrame, ObjectForm } from "./object-form.js";
import type { ResourceSchemas } from "./resource-schemas.js";
import { withoutTypeMeta, withTypeMeta } from "./type-meta.js";

/** A kind of the IDL as one version serves it. */
export interface TypedKind extends GroupVersionKind {
  /** The kind of a list of them; `<kind>List` when absent. */
  readonly listKind?: string;
  /** The stored version; undefined for kinds that are not stored. */
  readonly storage?: Pick<GroupVersionKind, "group" | "version"> | undefined;
  /** The conversion between this version and the stored one; undefined where they are the same. */
  readonly conversion?: Conversion | undefined;
  /** Annotations that rows lack. */
  readonly hiddenAnnotations?: readonly string[];
  /** The schemas of a kind that is not in the IDL, and has no protobuf form. */
  readonly typedSchemas?: ResourceSchemas;
}

/** The form of kinds of the IDL: objects have the members of their schema, in its order. */
export class TypedForm implements ObjectForm {
  readonly schemas: ResourceSchemas;
  readonly converts: boolean;
  readonly versions = undefined;
  readonly offer: Offer;
  readonly streamOffer: Offer;
  readonly patchTypes = typedPatchTypes;
  readonly joinsEntries: boolean;
  readonly typeMetaLength: number;
  readonly #kind: TypedKind;
  readonly #apiVersion: string;
  readonly #storedApiVersion: string;
  readonly #hiddenAnnotations: readonly string[];

  constructor(kind: TypedKind) {
    this.#kind = kind;
    this.#apiVersion = apiVersionOf(kind);
    this.#storedApiVersion = apiVersionOf(kind.storage ?? kind);
    this.#hiddenAnnotations = kind.hiddenAnnotations ?? [];
    this.schemas = kind.typedSchemas ?? new TypedSchemas(kind);
    this.offer = kind.typedSchemas === undefined ? objectOffer : { ...customOffer, unencodable: this.#servedGoType };
    this.streamOffer = kind.typedSchemas === undefined ? streamOffer : customStreamOffer;
    this.converts = this.#storedApiVersion !== this.#apiVersion;
    this.joinsEntries = !this.converts;
    this.typeMetaLength = encodeJson({ kind: kind.kind, apiVersion: this.#apiVersion }).length;
  }

  get convertsMembers(): boolean {
    return this.converts;
  }

  get goType(): string {
    return `*${internalPackage(this.#kind.group)}.${this.#kind.kind}`;
  }

  /** The Go type of the served version. */
  get #servedGoType(): string {
    return `*${this.#kind.version}.${this.#kind.kind}`;
  }

  toStored(object: JsonObject): JsonObject {
    return this.converts ? convert(object, this.#storedApiVersion, this.#conversion.toStored) : object;
  }

  fromStored(stored: JsonObject): JsonObject {
    return this.converts ? convert(stored, this.#apiVersion, this.#conversion.fromStored) : stored;
  }

  roundTrip(object: JsonObject): JsonObject {
    return this.fromStored(this.toStored(object));
  }

  convert(object: JsonObject, to: ObjectForm, caller: Pick<Caller, "signal">): MaybePromise<JsonObject> {
    return to.fromStored(this.toStored(copyJson(object) as JsonObject), caller);
  }

  blank(): JsonObject {
    const { kind } = this.#kind;
    return { kind, apiVersion: this.#apiVersion, ...decodeJson(this.schemas.kind.schema, {}).object };
  }

  canonicalize(object: JsonObject): void {
    this.#canonicalize(object, "null");
  }

  canonicalizeForAdmission(object: JsonObject): readonly EmptyMember[] {
    const empty: EmptyMember[] = [];
    const canonical = this.#canonicalize(object, empty);
    return empty.map((member) => (member.owner === canonical ? { owner: object, key: member.key } : member));
  }

  /** Moves the members of a canonical copy into the object, in their order. Returns the copy. */
  #canonicalize(object: JsonObject, empty: EmptyHandling): JsonObject {
    // The server has written managedFields itself, as the last member of metadata, and they may be as large as the rest.
    const meta = metaOf(object);
    const { managedFields } = meta;
    meta["managedFields"] = undefined;
    const canonical = decodeJson(this.schemas.kind.schema, object, { empty }).object;
    if (managedFields !== undefined) {
      metaOf(canonical)["managedFields"] = managedFields;
    }
    const members = Object.keys(canonical).filter((key) => key !== "kind" && key !== "apiVersion");
    const order = ["kind", "apiVersion", ...members];
    const present = Object.keys(object);
    if (present.length !== order.length || present.some((key, index) => key !== order[index])) {
      // An object that has lost members is slow to read and to encode ever after; most have theirs in order.
      for (const key of present) {
        delete object[key];
      }
    }
    object["kind"] = this.#kind.kind;
    object["apiVersion"] = this.#apiVersion;
    for (const key of members) {
      object[key] = canonical[key];
    }
    return canonical;
  }

  /** Returns the object: a Scale sets no member that the schema does not state. */
  prune(object: JsonObject): JsonObject {
    return object;
  }

  present(object: JsonObject): JsonObject {
    return withTypeMeta(decodeJson(this.schemas.kind.schema, object).object, this.#kind);
  }

  presentBookmark(bookmark: JsonObject): JsonObject {
    return bookmark;
  }

  isSame(object: JsonObject, old: JsonObject): boolean {
    return isSameBySchema(this.schemas.kind.schema, object, old, "exact");
  }

  isCurrent(): boolean {
    return !this.converts;
  }

  /** Returns undefined: conversions between versions of the IDL wait for nothing. */
  prepare(): undefined {
    return undefined;
  }

  decode(entry: CacheEntry): JsonObject {
    return this.fromStored(entry.object());
  }

  encode(entry: CacheEntry): Buffer {
    return this.converts ? Buffer.from(encodeJson(this.decode(entry))) : entry.bytes;
  }

  decodeRow(entry: CacheEntry): JsonObject {
    return entry.object();
  }

  toRow(object: JsonObject): JsonObject {
    return this.toStored(object);
  }

  fromRow(row: JsonObject): JsonObject {
    return withTypeMeta(this.fromStored(row), this.#kind);
  }

  metadataOfRow(row: JsonObject): JsonObject {
    const metadata = objectAt(row, "metadata");
    return this.#hiddenAnnotations.length === 0 ? metadata : withoutAnnotations(metadata, this.#hiddenAnnotations);
  }

  /** Returns the object without kind and apiVersion, as v1.29 writes the items of typed lists. */
  toItem(row: JsonObject): JsonObject {
    return withoutTypeMeta(this.fromStored(row));
  }

  listFrame(listKind: string, metadata: JsonObject): ListFrame {
    return { head: { kind: listKind, apiVersion: this.#apiVersion, metadata }, tail: {} };
  }

  get #conversion(): Conversion {
    const { conversion, kind } = this.#kind;
    if (conversion === undefined) {
      throw new Error(`no conversion of ${kind} between ${this.#apiVersion} and its stored version`);
    }
    return conversion;
  }
}

const typedPatchTypes: readonly string[] = [
  mediaTypes.jsonPatch,
  mediaTypes.mergePatch,
  mediaTypes.strategicMergePatch,
  mediaTypes.applyPatch,
];

/** The schemas of a kind of the IDL, looked up when they are first asked for. */
class TypedSchemas implements ResourceSchemas {
  readonly #of: TypedKind;
  #kind: KindSchema | undefined;
  #list: KindSchema | undefined;

  constructor(of: TypedKind) {
    this.#of = of;
  }

  get kind(): KindSchema {
    this.#kind ??= requireKind(this.#of, this.#of.kind);
    return this.#kind;
  }

  get list(): KindSchema {
    this.#list ??= requireKind(this.#of, this.#of.listKind ?? `${this.#of.kind}List`);
    return this.#list;
  }
}

function requireKind({ group, version }: Pick<GroupVersionKind, "group" | "version">, kind: string): KindSchema {
  const found = kindSchema(group, version, kind);
  if (found === undefined) {
    throw new Error(`no schema for ${kind} in ${apiVersionOf({ group, version })}`);
  }
  return found;
}

function withoutAnnotations(metadata: JsonObject, names: readonly string[]): JsonObject {
  const annotations = { ...objectAt(metadata, "annotations") };
  for (const name of names) {
    delete annotations[name];
  }
  const { annotations: _annotations, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...metadata, annotations };
}
