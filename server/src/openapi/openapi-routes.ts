import { createHash } from "node:crypto";
import { mediaTypes } from "@gatehouse/envelopes";
import { type DocumentHeaders, sendDocument } from "../discovery/send-document.js";
import type { ServedApi } from "../discovery/served-api.js";
import { sendAnswer } from "../http/answer.js";
import { acceptClauses } from "../http/negotiation.js";
import { sendText } from "../http/responder.js";
import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { once } from "./once.js";
import { createOpenApiSource, type LazyDocument, type OpenApiDocuments } from "./openapi-source.js";
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

const prefix = "/openapi/v3/";
const yearMs = 365 * 24 * 60 * 60 * 1000;

/**
 * Finds who answers `/openapi/v2`, `/openapi/v3` and the documents below. Documents are made when first read, in slices.
 * `source` is to be shared by the routes of successive APIs, so that unchanged documents are not made again.
 */
export function openapiRoutes(
  api: ServedApi,
  source = createOpenApiSource(),
  now: () => number = Date.now,
): (path: string) => Handler | undefined {
  const documents = source.documentsOf(api);
  const swagger = readOnly((context) => sendSwagger(context, documents.swagger));
  const index = indexHandler(documents, now);
  return (path) => {
    if (!path.startsWith("/openapi/")) {
      return undefined;
    }
    if (path === "/openapi/v2") {
      return swagger;
    }
    if (path === "/openapi/v3") {
      return index;
    }
    const id = path.startsWith(prefix) ? path.slice(prefix.length) : "";
    const document = documents.openapi3.get(id);
    return document === undefined ? undefined : readOnly((context) => sendOpenapi3(context, id, document, now));
  };
}

async function sendSwagger(context: RequestContext, document: LazyDocument): Promise<void> {
  const contentType = chooseType(context, swaggerOffers);
  if (contentType === undefined) {
    return sendNotAcceptable(context);
  }
  const published = await document.json();
  await send(context, contentType, published, document, { Vary: "Accept" });
}

async function sendOpenapi3(
  context: RequestContext,
  id: string,
  document: LazyDocument,
  now: () => number,
): Promise<void> {
  const contentType = chooseType(context, openapi3Offers);
  if (contentType === undefined) {
    return sendNotAcceptable(context);
  }
  const published = await document.json();
  const asked = context.query.get("hash") ?? "";
  if (asked !== "" && asked !== published.hash) {
    return sendMoved(context, urlOf(id, published.hash));
  }
  // An address with a hash always means the same bytes; the encodings differ by Accept.
  const lasting =
    asked === ""
      ? undefined
      : { "Cache-Control": "public, immutable", Expires: new Date(now() + yearMs).toUTCString() };
  await send(context, contentType, published, document, { Vary: "Accept", ...lasting });
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
    ETag: `"${published.hash}"`,
    "Last-Modified": published.lastModified,
  };
  const gzip = published.gzipOf(bytes);
  await sendDocument(context, all, gzip === undefined ? { bytes } : { bytes, gzip: () => gzip });
}

function urlOf(id: string, hash: string): string {
  return `${prefix}${id}?hash=${hash}`;
}

/** The list of documents. Their addresses hold their hashes, so all of them are made first. */
function indexHandler({ openapi3 }: OpenApiDocuments, now: () => number): Handler {
  const make = once(async () => {
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const [id, document] of openapi3) {
      paths[id] = { serverRelativeURL: urlOf(id, (await document.json()).hash) };
    }
    const bytes = Buffer.from(JSON.stringify({ paths }));
    const etag = `"${createHash("sha512").update(bytes).digest("hex").toUpperCase()}"`;
    return { bytes, etag, lastModified: new Date(now()).toUTCString() };
  });
  return readOnly(async (context) => {
    const { bytes, etag, lastModified } = await make();
    const headers = { "Content-Type": mediaTypes.json, ETag: etag, "Last-Modified": lastModified };
    await sendDocument(context, headers, { bytes });
  });
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

function sendNotAcceptable(context: RequestContext): void {
  sendAnswer(context, 406, { Vary: "Accept" }, Buffer.alloc(0));
}

function sendMoved(context: RequestContext, location: string): void {
  context.setHeader("Location", location);
  sendText(context, 301, "");
}

function readOnly(handler: Handler): Handler {
  return (context) => {
    if (context.method !== "GET" && context.method !== "HEAD") {
      context.setHeader("Allow", "GET");
      return sendText(context, 405, "405: Method Not Allowed");
    }
    return handler(context);
  };
}
