import { schemaRegistry } from "@gatehouse/envelopes";
import type { ServedApi } from "../discovery/served-api.js";
import { version } from "../version.js";
import { type ApiDocument, apiDocuments } from "./api-documents.js";
import { createDefinitions } from "./definitions.js";
import { openapi3Dialect, swaggerDialect } from "./dialect.js";
import { type DocumentInfo, openapi3Json, swaggerJson } from "./json-document.js";
import { kindNames } from "./kind-names.js";
import { once } from "./once.js";
import { openapi3PathItem } from "./openapi3-paths.js";
import { createPace } from "./pace.js";
import { type PublishedDocument, publish } from "./published-document.js";
import type { SchemaSource } from "./schema-source.js";
import { swaggerPathItem } from "./swagger-paths.js";
import { type DocumentSink, type DocumentWriter, writeDocument } from "./write-document.js";

/** A document in both encodings, each made when first asked for. */
export interface LazyDocument {
  readonly json: () => Promise<PublishedDocument>;
  readonly protobuf: () => Promise<Buffer>;
}

export interface OpenApiDocuments {
  readonly swagger: LazyDocument;
  /** By id, `apis/apps/v1`, sorted. */
  readonly openapi3: ReadonlyMap<string, LazyDocument>;
}

/** Makes the OpenAPI documents of one served API after the other, and keeps what did not change in between. */
export interface OpenApiSource {
  documentsOf(api: ServedApi): OpenApiDocuments;
}

export interface OpenApiSourceOptions {
  readonly schemas?: SchemaSource;
  readonly info?: DocumentInfo;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** Nothing is read or computed before a document is asked for. */
export function createOpenApiSource(options: OpenApiSourceOptions = {}): OpenApiSource {
  const { schemas = lazyRegistry(), now = Date.now } = options;
  const info = options.info ?? { title: "Kubernetes", version: version.gitVersion };
  const names = kindNames(schemas);
  const messageSchema = schemas.messageSchema.bind(schemas);
  const swaggerWriter: DocumentWriter = {
    schemas,
    definitions: createDefinitions(swaggerDialect, messageSchema, names),
    pathItem: swaggerPathItem,
  };
  const openapi3Writer: DocumentWriter = {
    schemas,
    definitions: createDefinitions(openapi3Dialect, messageSchema, names),
    pathItem: openapi3PathItem,
  };

  const lazy = (
    writer: DocumentWriter,
    documents: readonly ApiDocument[],
    jsonSink: (info: DocumentInfo) => DocumentSink,
    protobufSink: () => Promise<(info: DocumentInfo) => DocumentSink>,
  ): LazyDocument => ({
    json: once(async () => publish(await writeDocument(writer, documents, jsonSink(info), createPace()), now())),
    protobuf: once(async () => writeDocument(writer, documents, (await protobufSink())(info), createPace())),
  });

  // The document of a group version is the same as long as what is served there is.
  const known = new WeakMap<object, LazyDocument>();
  const openapi3Document = (document: ApiDocument): LazyDocument => {
    const key = document.groupVersion?.served;
    const made = key === undefined ? undefined : known.get(key);
    if (made !== undefined) {
      return made;
    }
    const fresh = lazy(openapi3Writer, [document], openapi3Json, openapi3Protobuf);
    if (key !== undefined) {
      known.set(key, fresh);
    }
    return fresh;
  };

  return {
    documentsOf(api) {
      const documents = apiDocuments(api);
      return {
        swagger: lazy(swaggerWriter, documents, swaggerJson, swaggerProtobuf),
        openapi3: new Map(documents.map((document) => [document.id, openapi3Document(document)])),
      };
    },
  };
}

// Loaded when needed: clients that read protobuf are few, and the library takes its time to load.
const swaggerProtobuf = async () => (await import("./gnostic-v2.js")).swaggerProtobuf;
const openapi3Protobuf = async () => (await import("./gnostic-v3.js")).openapi3Protobuf;

/** The built-in registry, loaded when something is first looked up. */
function lazyRegistry(): SchemaSource {
  return {
    kindSchema: (group, version, kind) => schemaRegistry().kindSchema(group, version, kind),
    messageSchema: (name) => schemaRegistry().messageSchema(name),
    kinds: () => schemaRegistry().kinds(),
    groupVersions: () => schemaRegistry().groupVersions(),
  };
}
