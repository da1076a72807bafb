import {
  decodeJson,
  decodeProtobuf,
  encodeProtobuf,
  encodeStoredJson,
  encodeYaml,
  isEnveloped,
  parseStoredJson,
  unwrapEnvelope,
  wrapUnknown,
} from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import {
  apiVersionOf,
  type GroupVersionKind,
  groupVersionOf,
  kindSchema,
  type ObjectSchema,
} from "@gatehouse/envelopes/schema";
import { convert } from "../../conversion/convert.js";
import type { OlderVersion } from "../../conversion/older-version.js";
import { metaOf } from "../../objects/object-meta.js";
import type { ValueFormat } from "../../storage/values/value-formats.js";
import { TypedForm } from "../typed-form.js";
import { endsLine, isJsonText, parseStoredText, withLineEnd } from "./json-text.js";
import type { ReadContext, ValueFormatOptions } from "./value-format-options.js";
import { type FormAtRest, liesAsJson, versionAtRest } from "./version-at-rest.js";

/** A kind of the IDL in the version in which the server holds its objects, and what its values may lie in besides. */
export interface StoredKind extends GroupVersionKind {
  readonly olderVersions?: readonly OlderVersion[] | undefined;
  /** Fills in members of a held object, in place, that depend on others and that earlier releases did not store. */
  readonly completeOnRead?: ((object: JsonObject, context: ReadContext) => void) | undefined;
  /** The version and media type that v1.29 stores, if not this version in the media type of the store. */
  readonly atRest?: FormAtRest | undefined;
}

interface Version {
  readonly schema: ObjectSchema;
  /** Absent for the version that the server holds. */
  readonly older: OlderVersion | undefined;
}

const canonicalOptions = { empty: "null" } as const;

/**
 * The values of a kind of the IDL: written as kube-apiserver v1.29 writes them, read in every version that it decodes, in
 * protobuf, JSON or YAML.
 */
export class TypedValueFormat implements ValueFormat {
  readonly #kind: StoredKind;
  readonly #options: ValueFormatOptions;
  readonly #form: TypedForm;
  readonly #apiVersion: string;
  readonly #isJson: boolean;
  readonly #written: GroupVersionKind;
  readonly #writtenForm: TypedForm;
  readonly #versions = new Map<string, Version>();

  constructor(kind: StoredKind, options: ValueFormatOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#form = new TypedForm(kind);
    this.#apiVersion = apiVersionOf(kind);
    this.#isJson = liesAsJson(kind, options);
    this.#written = { ...kind, version: versionAtRest(kind, options) };
    this.#writtenForm = new TypedForm(this.#written);
  }

  encode(value: Buffer): Buffer {
    const atRest = this.#kind.atRest?.version;
    if (this.#isJson && !this.#options.isShared) {
      return value;
    }
    if (this.#isJson && atRest === undefined) {
      return withLineEnd(value);
    }
    const held = parseStoredJson(value.toString()) as JsonObject;
    const { kind } = this.#kind;
    const apiVersion = apiVersionOf(this.#written);
    const object = atRest === undefined ? held : convert(held, apiVersion, atRest.fromStored);
    if (this.#isJson) {
      this.#writtenForm.canonicalize(object);
      return Buffer.from(`${encodeStoredJson(object)}\n`);
    }
    return this.#options.mediaType === mediaTypes.yaml
      ? Buffer.from(encodeYaml(object))
      : wrapUnknown(apiVersion, kind, encodeProtobuf(this.#versionOf(apiVersion, kind).schema, object));
  }

  decode(stored: Buffer): Buffer {
    if (!this.#options.isShared && isJsonText(stored) && !endsLine(stored)) {
      return stored;
    }
    const { object, version } = isEnveloped(stored) ? this.#decodeProtobuf(stored) : this.#decodeText(stored);
    // The store knows it better.
    delete metaOf(object).resourceVersion;
    return Buffer.from(encodeStoredJson(this.#held(object, version)));
  }

  /** Returns an object in the version that the server holds, with its defaults. */
  #held(object: JsonObject, { schema, older }: Version): JsonObject {
    const { defaulting, features } = this.#options;
    defaulting(schema, object, features);
    const held = older === undefined ? object : convert(object, this.#apiVersion, older.toStored);
    if (older !== undefined && older.isComplete !== true) {
      this.#form.canonicalize(held);
      defaulting(this.#form.schemas.kind.schema, held, features);
    }
    this.#kind.completeOnRead?.(held, this.#options);
    this.#form.canonicalize(held);
    return held;
  }

  #decodeProtobuf(stored: Buffer): { readonly object: JsonObject; readonly version: Version } {
    const unknown = unwrapEnvelope(stored);
    const version = this.#versionOf(unknown.apiVersion, unknown.kind);
    return { object: decodeProtobuf(version.schema, unknown.raw, unknown, { keepsFieldsText: true }), version };
  }

  #decodeText(stored: Buffer): { readonly object: JsonObject; readonly version: Version } {
    const value = parseStoredText(stored);
    if (value !== null && !isJsonObject(value)) {
      throw new DecodeError("the value is no object");
    }
    const object = value ?? {};
    const version = this.#versionOf(textAt(object, "apiVersion"), textAt(object, "kind"));
    return { object: decodeJson(version.schema, object, canonicalOptions).object, version };
  }

  /**
   * Returns a version of the kind; as in v1.29, a value that states no version or kind is of those that are expected.
   * Throws DecodeError for anything that v1.29 does not decode in this place.
   */
  #versionOf(statedVersion: string, statedKind: string): Version {
    const apiVersion = statedVersion || this.#apiVersion;
    const kind = statedKind || this.#kind.kind;
    const known = kind === this.#kind.kind ? this.#versions.get(apiVersion) : undefined;
    if (known !== undefined) {
      return known;
    }
    const older = this.#kind.olderVersions?.find((candidate) => apiVersionOf(candidate) === apiVersion);
    const { group, version } = older ?? groupVersionOf(apiVersion);
    const schema = kindSchema(group, version, kind)?.schema;
    if (schema === undefined) {
      throw new DecodeError(
        `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/runtime/scheme.go:100"`,
      );
    }
    if (kind !== this.#kind.kind || (older === undefined && apiVersion !== this.#apiVersion)) {
      throw new DecodeError(`converting (${version}.${kind}) to (${this.#form.goType.slice(1)}): unknown conversion`);
    }
    const made = { schema, older };
    this.#versions.set(apiVersion, made);
    return made;
  }
}
