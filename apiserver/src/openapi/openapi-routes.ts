import { mediaTypes } from "@gatehouse/envelopes/names";
import { oncePer } from "../discovery/once-per.js";
import { type DocumentHeaders, sendDocument } from "../discovery/send-document.js";
import type { ServedApi } from "../discovery/served-api.js";
import { sendAnswer } from "../http/answer.js";
import { acceptClauses } from "../http/negotiation.js";
import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { once } from "./once.js";
import { type LazyDocument, type OpenApiDocuments, OpenApiSource } from "./openapi-source.js";
import type { PublishedDocument } from "./published-document.js";

/** Version 1.0 of gnostic's messages for Swagger 2.0. The second name is no valid media type; old clients ask for it. */
const swaggerProtobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const swaggerProtobufOld = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const openapi3Protobuf = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
const openapi3ProtobufOld = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";

/** Media types by what clients ask for, in order of preference. */
type Offers = ReadonlyMap<string, string>;

const swaggerOffers: Offers = new Map([
  [mediaTypes.json, mediaTypes.json],
  [swaggerProtobufOld, swaggerProtobuf],
  [swaggerProtobuf, swaggerProtobuf],
]);
const openapi3Offers: Offers = new Map([
  [mediaTypes.json, mediaTypes.json],
  [openapi3Protobuf, openapi3Protobuf],
  [openapi3ProtobufOld, openapi3Protobuf],
]);

const swaggerVary = "Accept-Encoding, Accept";
const openapi3Vary = "Accept";

const prefix = "/openapi/v3/";
const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Options of the OpenAPI routes; all have defaults. */
export interface OpenApiRoutesOptions {
  /** The source of the documents; by default one of the built-in kinds. */
  readonly source?: OpenApiSource;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Returns the handler of an OpenAPI 3.0 document of another server; undefined for ids that none has. */
  readonly foreign?: (id: string) => Handler | undefined;
}

/**
 * Finds who answers `/openapi/v2`, `/openapi/v3` and the documents below. What is served is asked for each request;
 * documents are made when first read, in slices, and again when what they tell about has changed. As in v1.29, the method
 * does not matter.
 */
export function openapiRoutes(
  currentApi: () => ServedApi,
  options: OpenApiRoutesOptions = {},
): (path: string) => Handler | undefined {
  const { source = new OpenApiSource(), now = Date.now } = options;
  const indexOf = oncePer((api: ServedApi) => once(() => makeIndex(source.documentsOf(api), api, now)));
  return (path) => {
    if (path === "/openapi/v2") {
      return (context) => sendSwagger(context, source.documentsOf(currentApi()).swagger);
    }
    if (path === "/openapi/v3") {
      return async (context) => sendIndex(context, await indexOf(currentApi())(), now());
    }
    if (path.startsWith(prefix)) {
      const id = path.slice(prefix.length);
      const document = source.documentsOf(currentApi()).openapi3.get(id);
      return document === undefined
        ? (options.foreign?.(id) ?? ((context) => sendEmpty(context, 404, {})))
        : (context) => sendOpenapi3(context, id, document, now);
    }
    return undefined;
  };
}

async function sendSwagger(context: RequestContext, document: LazyDocument): Promise<void> {
  const contentType = chooseType(context, swaggerOffers);
  if (contentType === undefined) {
    return sendEmpty(context, 406, { Vary: swaggerVary });
  }
  await send(context, contentType, await document.json(), document, { Vary: swaggerVary });
}

async function sendOpenapi3(
  context: RequestContext,
  id: string,
  document: LazyDocument,
  now: () => number,
): Promise<void> {
  const contentType = chooseType(context, openapi3Offers);
  if (contentType === undefined) {
    return sendEmpty(context, 406, { Vary: openapi3Vary });
  }
  const published = await document.json();
  const asked = context.query.get("hash") ?? "";
  if (asked !== "" && asked !== published.hash) {
    const headers = { "Content-Type": contentType, ETag: etagOf(published), Vary: openapi3Vary };
    return sendEmpty(context, 301, { ...headers, Location: urlOf(id, published.hash) });
  }
  // An address with a hash always means the same bytes; the encodings differ by Accept.
  const lasting =
    asked === ""
      ? undefined
      : { "Cache-Control": "public, immutable", Expires: new Date(now() + yearMs).toUTCString() };
  await send(context, contentType, published, document, { Vary: openapi3Vary, ...lasting });
}

async function send(
  context: RequestContext,
  contentType: string,
  published: PublishedDocument,
  document: LazyDocument,
  headers: Omit<DocumentHeaders, "Content-Type">,
): Promise<void> {
  const bytes = contentType === mediaTypes.json ? published.json : await document.protobuf();
  const all = {
    ...headers,
    "Content-Type": contentType,
    ETag: etagOf(published),
    "Last-Modified": published.lastModified,
    "Accept-Ranges": "bytes" as const,
  };
  const gzip = (): Promise<Buffer> => published.gzipOf(bytes);
  await sendDocument(context, all, published.mayCompress(bytes) ? { bytes, gzip } : { bytes });
}

function etagOf(published: PublishedDocument): string {
  return `"${published.hash}"`;
}

function urlOf(id: string, hash: string): string {
  return `${prefix}${id}?hash=${hash}`;
}

/** The list of documents, and when it was made, in milliseconds since the epoch. */
interface DocumentIndex {
  readonly bytes: Buffer;
  readonly madeAtMs: number;
}

/** Makes the list of documents. All documents are made first, because the list holds their hashes. */
async function makeIndex(
  { openapi3 }: OpenApiDocuments,
  { foreignDocuments = new Map() }: ServedApi,
  now: () => number,
): Promise<DocumentIndex> {
  const urls = new Map<string, string>(foreignDocuments);
  for (const [id, document] of openapi3) {
    urls.set(id, urlOf(id, (await document.json()).hash));
  }
  const ids = foreignDocuments.size === 0 ? [...urls.keys()] : [...urls.keys()].sort();
  const paths = Object.fromEntries(ids.map((id) => [id, { serverRelativeURL: urls.get(id) ?? "" }]));
  return { bytes: Buffer.from(JSON.stringify({ paths })), madeAtMs: now() };
}

/**
 * Sends the list of documents. v1.29 gives it no ETag and no content type; its HTTP library takes JSON for text. The
 * list is as new as the request, and has no date in the second in which it was made: a client with one from earlier in
 * the second in which a definition came would otherwise keep it.
 */
function sendIndex(context: RequestContext, { bytes, madeAtMs }: DocumentIndex, nowMs: number): Promise<void> {
  const [now, madeAt] = [nowMs, madeAtMs].map((ms) => new Date(ms).toUTCString());
  return sendDocument(
    context,
    {
      "Content-Type": "text/plain; charset=utf-8",
      ...(now === madeAt ? {} : { "Last-Modified": now as string }),
      "Accept-Ranges": "bytes",
    },
    { bytes, isTypeGuessed: true },
  );
}

function chooseType(context: RequestContext, offers: Offers): string | undefined {
  const accept = context.header("accept");
  for (const { type } of acceptClauses(accept === undefined || accept === "" ? "*/*" : accept)) {
    const chosen = type === "*/*" || type === "application/*" ? mediaTypes.json : offers.get(type);
    if (chosen !== undefined) {
      return chosen;
    }
  }
  return undefined;
}

function sendEmpty(context: RequestContext, code: number, headers: Readonly<Record<string, string>>): void {
  sendAnswer(context, code, headers, Buffer.alloc(0));
}
