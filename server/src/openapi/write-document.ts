import type { JsonObject } from "@gatehouse/envelopes";
import type { ApiDocument } from "./api-documents.js";
import type { ApiPath, DefinitionOf } from "./api-path.js";
import { customDefinitions } from "./custom-definitions.js";
import type { Definition, Definitions } from "./definitions.js";
import type { Pace } from "./pace.js";
import { resourcePaths } from "./resource-paths.js";
import type { SchemaSource } from "./schema-source.js";
import { patchDefinition, type SpecialDefinition } from "./special-definitions.js";

/** Takes the parts of a document as they come, and puts them together in some encoding. */
export interface DocumentSink {
  path(path: string, item: JsonObject): void;
  definition(name: string, schema: JsonObject): void;
  finish(): Buffer;
}

export interface DocumentWriter {
  readonly schemas: SchemaSource;
  readonly definitions: Definitions;
  pathItem(path: ApiPath, nameOf: (type: DefinitionOf) => string | undefined): JsonObject;
}

const versionInfo = "k8s.io.apimachinery.pkg.version.Info";

/**
 * Writes documents as one: each path, then each definition that something refers to. Work is done in slices; whoever
 * waits for the result does not hold up others.
 */
export async function writeDocument(
  writer: DocumentWriter,
  documents: readonly ApiDocument[],
  sink: DocumentSink,
  pace: Pace,
): Promise<Buffer> {
  const needed = new Set<string>();
  const customs = new Map<string, SpecialDefinition>();
  for (const document of documents) {
    const custom = customsOf(document);
    for (const definition of custom.values()) {
      customs.set(definition.name, definition);
    }
    const nameOf = (type: DefinitionOf): string | undefined => {
      const name = nameOfType(writer, document, custom, type);
      if (name !== undefined) {
        needed.add(name);
      }
      return name;
    };
    for (const path of pathsOf(writer.schemas, document)) {
      sink.path(path.path, writer.pathItem(path, nameOf));
      const turn = pace();
      if (turn !== undefined) {
        await turn;
      }
    }
  }
  const found = new Map<string, JsonObject>();
  // The set grows while it is walked through.
  for (const name of needed) {
    const { schema, refs } = definitionOf(writer.definitions, customs, name);
    found.set(name, schema);
    for (const ref of refs) {
      needed.add(ref);
    }
    const turn = pace();
    if (turn !== undefined) {
      await turn;
    }
  }
  for (const name of [...found.keys()].sort()) {
    sink.definition(name, found.get(name) as JsonObject);
    const turn = pace();
    if (turn !== undefined) {
      await turn;
    }
  }
  return sink.finish();
}

function customsOf({ groupVersion }: ApiDocument): ReadonlyMap<string, SpecialDefinition> {
  return groupVersion === undefined ? noCustoms : customDefinitions(groupVersion.group, groupVersion.served);
}

const noCustoms: ReadonlyMap<string, SpecialDefinition> = new Map();

/** Resource by resource, so that no more than one resource's paths exist at a time. */
function* pathsOf(schemas: SchemaSource, { root, groupVersion }: ApiDocument): Iterable<ApiPath> {
  yield root;
  if (groupVersion === undefined) {
    return;
  }
  const { group, served } = groupVersion;
  for (const resource of served.resources) {
    yield* resourcePaths({
      group,
      version: served.version,
      resource,
      kindSchema: (kind) => schemas.kindSchema(kind.group, kind.version, kind.kind)?.schema,
    });
  }
}

function definitionOf(
  definitions: Definitions,
  customs: ReadonlyMap<string, SpecialDefinition>,
  name: string,
): Definition {
  const custom = customs.get(name);
  return custom === undefined ? definitions.get(name) : definitions.special(custom);
}

/** Undefined for plain text, and for kinds that nobody describes. */
function nameOfType(
  { schemas, definitions }: DocumentWriter,
  { groupVersion }: ApiDocument,
  custom: ReadonlyMap<string, SpecialDefinition>,
  type: DefinitionOf,
): string | undefined {
  if (type === "text") {
    return undefined;
  }
  if (type === "patch") {
    return definitions.referSpecial(patchDefinition);
  }
  if (type === "version") {
    return definitions.refer(schemas.messageSchema(versionInfo));
  }
  if (groupVersion?.group === type.group && groupVersion.served.version === type.version) {
    const own = custom.get(type.kind);
    if (own !== undefined) {
      return own.name;
    }
  }
  const kind = schemas.kindSchema(type.group, type.version, type.kind);
  return kind === undefined ? undefined : definitions.refer(kind.schema);
}
