import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ObjectSchema } from "@gatehouse/envelopes/schema";
import { yieldSharedWork } from "../scheduling/shared-work.js";
import type { ApiDocument } from "./api-documents.js";
import { customDefinitions } from "./definitions/custom-definitions.js";
import type { Definitions } from "./definitions/definitions.js";
import { patchDefinition, type SpecialDefinition } from "./definitions/special-definitions.js";
import { referencesOf } from "./foreign/foreign-spec.js";
import type { MergedForeignSpecs } from "./foreign/merge-foreign-specs.js";
import type { ApiPath, DefinitionOf } from "./paths/api-path.js";
import { resourcePaths } from "./paths/resource-paths.js";
import type { SchemaSource } from "./schema-source.js";

/** The format in which the parts of a document are written and put together: one OpenAPI version and encoding. */
export interface DocumentFormat {
  path(path: string, item: JsonObject): Uint8Array;
  definition(name: string, schema: JsonObject): Uint8Array;
  /** Joins parts, in the order given, into the whole document. */
  document(paths: readonly Uint8Array[], definitions: readonly Uint8Array[]): Buffer;
}

/** A document's content as bytes: a whole document of version 3, or a share of the one document of version 2. */
export interface DocumentPart {
  readonly paths: readonly Uint8Array[];
  readonly pathNames: readonly string[];
  /** The definitions that the paths refer to, by name. */
  readonly needs: ReadonlySet<string>;
  /** Definitions of this part's own custom kinds, by name. */
  readonly customs: ReadonlyMap<string, WrittenDefinition>;
}

interface WrittenDefinition {
  readonly bytes: Uint8Array;
  readonly refs: readonly string[];
}

/** Dependencies of a DocumentWriter. */
export interface DocumentWriterOptions {
  readonly schemas: SchemaSource;
  readonly definitions: Definitions;
  /** Tells if a name of a custom kind's definition is another's in the document. */
  readonly isTaken: (name: string) => boolean;
  readonly pathItem: (path: ApiPath, nameOf: (type: DefinitionOf) => string | undefined) => JsonObject;
  readonly format: DocumentFormat;
}

const versionInfo = "k8s.io.apimachinery.pkg.version.Info";

/**
 * Writes documents of one OpenAPI version in one encoding. Definitions of the built-in IDL, of which most documents have
 * many in common, are written once and kept: there are only so many. Work is done in slices; whoever waits for the
 * result does not hold up others.
 */
export class DocumentWriter {
  readonly #options: DocumentWriterOptions;
  readonly #written = new Map<string, WrittenDefinition>();

  constructor(options: DocumentWriterOptions) {
    this.#options = options;
  }

  /**
   * Returns the part of a document. Each path is written as soon as it is made: at most one resource's exist unwritten.
   */
  async part(document: ApiDocument): Promise<DocumentPart> {
    const { pathItem, format, isTaken } = this.#options;
    const customs = document.served === undefined ? noCustoms : customDefinitions(document.served, isTaken);
    const needs = new Set<string>();
    const nameOf = (type: DefinitionOf): string | undefined => {
      const name = this.#nameOfType(document, customs, type);
      if (name !== undefined) {
        needs.add(name);
      }
      return name;
    };
    const paths: Uint8Array[] = [];
    const pathNames: string[] = [];
    for (const path of this.#pathsOf(document)) {
      pathNames.push(path.path);
      paths.push(format.path(path.path, pathItem(path, nameOf)));
      await yieldSharedWork();
    }
    const writtenCustoms = new Map<string, WrittenDefinition>();
    for (const definition of customs.values()) {
      writtenCustoms.set(definition.name, this.#writeCustom(definition));
      await yieldSharedWork();
    }
    return { paths, pathNames, needs, customs: writtenCustoms };
  }

  /** Returns the part of a document that other servers describe. */
  async foreignPart({ paths, definitions }: MergedForeignSpecs): Promise<DocumentPart> {
    const { format } = this.#options;
    const needs = new Set<string>();
    const written: Uint8Array[] = [];
    for (const [path, item] of paths) {
      written.push(format.path(path, item));
      referencesOf(item, needs);
      await yieldSharedWork();
    }
    const customs = new Map<string, WrittenDefinition>();
    for (const [name, schema] of definitions) {
      const refs = new Set<string>();
      referencesOf(schema, refs);
      customs.set(name, { bytes: format.definition(name, schema), refs: [...refs] });
      await yieldSharedWork();
    }
    return { paths: written, pathNames: [...paths.keys()], needs, customs };
  }

  /** Writes one document of parts: each path, then each definition that something refers to. */
  async document(parts: readonly DocumentPart[]): Promise<Buffer> {
    const found = await this.definitionsOf(parts);
    const definitions = [...found.keys()].sort().map((name) => found.get(name) as Uint8Array);
    return this.#options.format.document(
      parts.flatMap((part) => part.paths),
      definitions,
    );
  }

  /** Returns the written definitions of a document of these parts, by name. */
  async definitionsOf(parts: readonly DocumentPart[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const customs = new Map(parts.flatMap((part) => [...part.customs]));
    const needed = new Set(parts.flatMap((part) => [...part.needs]));
    const found = new Map<string, Uint8Array>();
    // The set grows while it is walked through.
    for (const name of needed) {
      const { bytes, refs } = customs.get(name) ?? this.#writeBuiltin(name);
      found.set(name, bytes);
      for (const ref of refs) {
        needed.add(ref);
      }
      await yieldSharedWork();
    }
    return found;
  }

  #writeBuiltin(name: string): WrittenDefinition {
    let written = this.#written.get(name);
    if (written === undefined) {
      const { definitions, format } = this.#options;
      const { schema, refs } = definitions.get(name);
      written = { bytes: format.definition(name, schema), refs };
      this.#written.set(name, written);
    }
    return written;
  }

  #writeCustom(definition: SpecialDefinition): WrittenDefinition {
    const { definitions, format } = this.#options;
    const { schema, refs } = definitions.special(definition);
    return { bytes: format.definition(definition.name, schema), refs };
  }

  *#pathsOf({ roots = [], served }: ApiDocument): Iterable<ApiPath> {
    yield* roots;
    if (served === undefined) {
      return;
    }
    const { schemas } = this.#options;
    const { group, version } = served;
    const kindSchema = (kind: { group: string; version: string; kind: string }): ObjectSchema | undefined =>
      schemas.kindSchema(kind.group, kind.version, kind.kind)?.schema;
    for (const resource of served.resources) {
      yield* resourcePaths({ group, version, resource, kindSchema });
    }
  }

  /** Returns the name of a body's definition; undefined for plain text, and for kinds without a description. */
  #nameOfType(
    { served }: ApiDocument,
    customs: ReadonlyMap<string, SpecialDefinition>,
    type: DefinitionOf,
  ): string | undefined {
    const { schemas, definitions } = this.#options;
    if (type === "text") {
      return undefined;
    }
    if (type === "patch") {
      return definitions.referSpecial(patchDefinition);
    }
    if (type === "version") {
      return definitions.refer(schemas.messageSchema(versionInfo));
    }
    if (served?.group === type.group && served.version === type.version) {
      const own = customs.get(type.kind);
      if (own !== undefined) {
        return own.name;
      }
    }
    const kind = schemas.kindSchema(type.group, type.version, type.kind);
    return kind === undefined ? undefined : definitions.refer(kind.schema);
  }
}

const noCustoms: ReadonlyMap<string, SpecialDefinition> = new Map();
