import type { JsonObject } from "@gatehouse/envelopes/json";
import { oncePer } from "../discovery/once-per.js";
import type { ServedApi } from "../discovery/served-api.js";
import { version } from "../discovery/version.js";
import { type ApiDocument, apiDocuments } from "./api-documents.js";
import { messageName } from "./definitions/definition-name.js";
import { Definitions } from "./definitions/definitions.js";
import { kindNames } from "./definitions/kind-names.js";
import { openapi3Dialect, swaggerDialect } from "./dialect.js";
import { type DocumentPart, DocumentWriter } from "./document-writer.js";
import { mergeForeignSpecs, type OwnSpec } from "./foreign/merge-foreign-specs.js";
import { swaggerProtobuf } from "./gnostic/gnostic-v2.js";
import { openapi3Protobuf, openapi3ProtobufOf } from "./gnostic/gnostic-v3.js";
import { type DocumentInfo, openapi3Json, swaggerJson } from "./json-document.js";
import { once } from "./once.js";
import { openapi3PathItem } from "./paths/openapi3-paths.js";
import { swaggerPathItem } from "./paths/swagger-paths.js";
import { PublishedDocument } from "./published-document.js";
import { lazyRegistry, type SchemaSource } from "./schema-source.js";

/** A document in both encodings, each made when first asked for. */
export interface LazyDocument {
  readonly json: () => Promise<PublishedDocument>;
  readonly protobuf: () => Promise<Buffer>;
}

/** The OpenAPI documents of one served API. */
export interface OpenApiDocuments {
  readonly swagger: LazyDocument;
  /** The documents of version 3 by id (`apis/apps/v1`), sorted. */
  readonly openapi3: ReadonlyMap<string, LazyDocument>;
}

/** Options of an OpenApiSource; all have defaults. */
export interface OpenApiSourceOptions {
  /** True if the values of closed sets are published; true when absent. */
  readonly writesEnums?: boolean;
  /** Documents of paths beside the API; by default none. */
  readonly further?: readonly ApiDocument[];
  /** The schemas; by default those of the built-in kinds. */
  readonly schemas?: SchemaSource;
  /** The title and version; by default `Kubernetes`, and the version of this server. */
  readonly info?: DocumentInfo;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** The parts kept of a document as long as its `served` stays the same value. */
interface KnownDocument {
  readonly served: ApiDocument["served"];
  readonly openapi3: LazyDocument;
  readonly swaggerJson: () => Promise<DocumentPart>;
  readonly swaggerProtobuf: () => Promise<DocumentPart>;
}

/** The writers of one OpenAPI version. */
interface Writers {
  readonly json: DocumentWriter;
  readonly protobuf: DocumentWriter;
}

/**
 * Makes the OpenAPI documents of one served API after the other. What did not change in between is kept: the documents of
 * version 3, and the shares of its group versions in the one of version 2.
 */
export class OpenApiSource {
  readonly #now: () => number;
  readonly #further: readonly ApiDocument[];
  readonly #swagger: Writers;
  readonly #openapi3: Writers;
  readonly #documentsOf = oncePer((api: ServedApi) => this.#make(api));
  readonly #converted = oncePer((document: JsonObject) =>
    this.#lazy(
      async () => Buffer.from(JSON.stringify(document)),
      async () => openapi3ProtobufOf(document),
    ),
  );
  /** The known documents by id. Those of the latest API only: keeping older ones would be a leak. */
  #known: ReadonlyMap<string, KnownDocument> = new Map();

  /** Prepares the writers. Nothing is read or computed before a document is asked for. */
  constructor(options: OpenApiSourceOptions = {}) {
    const { schemas = lazyRegistry(), now = Date.now, writesEnums = true, further = [] } = options;
    const info = options.info ?? { title: "Kubernetes", version: version.gitVersion };
    const sources = { messageSchema: schemas.messageSchema.bind(schemas), kindNames: kindNames(schemas) };
    const swagger = {
      schemas,
      definitions: new Definitions({ ...swaggerDialect, writesEnums }, sources),
      pathItem: swaggerPathItem,
      // One document has the built-in kinds, too. A custom kind of version 3 stands beside those that it refers to.
      isTaken: (name: string) => schemas.hasMessage(messageName(name)),
    };
    const openapi3 = {
      schemas,
      definitions: new Definitions({ ...openapi3Dialect, writesEnums }, sources),
      pathItem: openapi3PathItem,
      isTaken: () => false,
    };
    this.#now = now;
    this.#further = further;
    this.#swagger = {
      json: new DocumentWriter({ ...swagger, format: swaggerJson(info) }),
      protobuf: new DocumentWriter({ ...swagger, format: swaggerProtobuf(info) }),
    };
    this.#openapi3 = {
      json: new DocumentWriter({ ...openapi3, format: openapi3Json(info) }),
      protobuf: new DocumentWriter({ ...openapi3, format: openapi3Protobuf(info) }),
    };
  }

  /** Returns the documents of an API; the same value for the same API. */
  documentsOf(api: ServedApi): OpenApiDocuments {
    return this.#documentsOf(api);
  }

  #make(api: ServedApi): OpenApiDocuments {
    const before = this.#known;
    const known = new Map(
      apiDocuments(api, this.#further).map((document): [string, KnownDocument] => {
        const { id, served } = document;
        const same = before.get(id);
        return [id, same !== undefined && same.served === served ? same : this.#describe(document)];
      }),
    );
    this.#known = known;
    const all = [...known.values()];
    const json = (): Promise<DocumentPart[]> => inTurn(all, (document) => document.swaggerJson());
    const specs = api.foreignSpecs ?? [];
    const foreign = once(async () => mergeForeignSpecs(await this.#ownSpec(await json()), specs));
    const withForeign = async (writer: DocumentWriter, parts: readonly DocumentPart[]): Promise<Buffer> =>
      writer.document(specs.length === 0 ? parts : [...parts, await writer.foreignPart(await foreign())]);
    return {
      swagger: this.#lazy(
        async () => withForeign(this.#swagger.json, await json()),
        async () => withForeign(this.#swagger.protobuf, await inTurn(all, (item) => item.swaggerProtobuf())),
      ),
      openapi3: this.#withConverted(new Map([...known].map(([id, { openapi3 }]) => [id, openapi3])), api),
    };
  }

  #withConverted(
    own: ReadonlyMap<string, LazyDocument>,
    { convertedDocuments = new Map() }: ServedApi,
  ): ReadonlyMap<string, LazyDocument> {
    if (convertedDocuments.size === 0) {
      return own;
    }
    const all = new Map(own);
    for (const [id, document] of convertedDocuments) {
      if (!own.has(id)) {
        all.set(id, this.#converted(document));
      }
    }
    return new Map([...all].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  async #ownSpec(parts: readonly DocumentPart[]): Promise<OwnSpec> {
    const paths = new Set(parts.flatMap(({ pathNames }) => pathNames));
    const definitions = await this.#swagger.json.definitionsOf(parts);
    return {
      hasPath: (path) => paths.has(path),
      definition(name) {
        const member = definitions.get(name);
        return member && (JSON.parse(`{${Buffer.from(member).toString("utf8")}}`)[name] as JsonObject);
      },
    };
  }

  #describe(document: ApiDocument): KnownDocument {
    const write = async (writer: DocumentWriter): Promise<Buffer> => writer.document([await writer.part(document)]);
    return {
      served: document.served,
      openapi3: this.#lazy(
        () => write(this.#openapi3.json),
        () => write(this.#openapi3.protobuf),
      ),
      swaggerJson: once(() => this.#swagger.json.part(document)),
      swaggerProtobuf: once(() => this.#swagger.protobuf.part(document)),
    };
  }

  #lazy(json: () => Promise<Buffer>, protobuf: () => Promise<Buffer>): LazyDocument {
    return { json: once(async () => new PublishedDocument(await json(), this.#now())), protobuf: once(protobuf) };
  }
}

/** Runs the work on each item after the one before: each is made of many slices already. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) {
    results.push(await work(item));
  }
  return results;
}
