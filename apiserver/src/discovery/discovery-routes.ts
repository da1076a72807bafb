import type { JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { notAcceptable, resourceNotFound } from "@gatehouse/envelopes/status";
import { indentJson } from "../http/indent-json.js";
import { contentTypeOf, type Encoding, negotiate, type Offer, plainOffer } from "../http/negotiation.js";
import { sendBytes, wantsPretty } from "../http/responder.js";
import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { aggregatedDiscovery } from "./aggregated-document.js";
import { isCustomGroupVersion } from "./custom-groups.js";
import { type DiscoveryDocuments, discoveryDocuments } from "./discovery-documents.js";
import type { EncodedDocument } from "./encoded-document.js";
import { fixedRoute } from "./fixed-route.js";
import { oncePer } from "./once-per.js";
import { evaluatePreconditions } from "./preconditions.js";
import { groupVersionPath, rootPathsDocument } from "./root-paths.js";
import { sendDocument } from "./send-document.js";
import type { ServedApi, ServedGroup } from "./served-api.js";
import { type VersionInfo, versionDocument } from "./version-info.js";

/** Contents of discovery besides the served API. */
export interface DiscoveryOptions {
  /** The answer of `/version`. */
  readonly version: VersionInfo;
  /** Paths that `/` lists besides discovery and OpenAPI: health checks, metrics, ... */
  readonly otherPaths: readonly string[];
  /** Set to false if no document tells of all groups at once, without the gate AggregatedDiscoveryEndpoint. Default true. */
  readonly isAggregated?: boolean;
  /** Called when a document of all groups at once is made. */
  readonly onAggregated?: () => void;
}

const aggregatedOffer: Offer = {
  encodings: plainOffer.encodings,
  transformations: ["APIGroupDiscoveryList"],
  onlyTransformed: true,
};

const documentTypes = plainOffer.encodings.map((encoding) => contentTypeOf[encoding]);

/**
 * Finds who answers a path of discovery, `/version` or `/`. What is served is asked for each request;
 * documents are made when first read, and again when what they tell about has changed.
 */
export function discoveryRoutes(
  currentApi: () => ServedApi,
  options: DiscoveryOptions,
): (path: string) => Handler | undefined {
  const documents = discoveryDocuments(options.onAggregated);
  const routesOf = oncePer((api: ServedApi) => routesOfApi(api, documents, options));
  return (path) => routesOf(currentApi())(path);
}

function routesOfApi(
  api: ServedApi,
  documents: DiscoveryDocuments,
  options: DiscoveryOptions,
): (path: string) => Handler | undefined {
  const routes = new Map<string, Handler>();
  const add = (path: string, handler: Handler): void => {
    routes.set(path, handler);
    routes.set(`${path}/`, handler);
  };
  const index = indented(() => rootPathsDocument(api, options.otherPaths));
  routes.set("/", index);
  routes.set("/index.html", index);
  const version = indented(() => versionDocument(options.version));
  add("/version", fixedRoute([mediaTypes.json], version));
  const { isAggregated = true } = options;
  const rootOf = (plain: EncodedDocument, aggregated: () => EncodedDocument): Handler =>
    isAggregated ? plainOrAggregated(plain, aggregated()) : (context) => sendPlain(context, plain);
  add(
    "/api",
    fixedRoute(
      documentTypes,
      rootOf(documents.versions(api), () => documents.aggregatedCore(api)),
    ),
  );
  // v1.29 answers these to any method: they stand above the servers whose groups they list.
  routes.set(
    "/apis",
    rootOf(documents.groups(api), () => documents.aggregatedNamed(api)),
  );
  routes.set("/apis/", (context) => sendPlain(context, documents.groups(api)));
  for (const group of api.groups) {
    if (group.name !== "") {
      add(`/apis/${group.name}`, (context) => sendPlain(context, documents.group(group)));
    }
    for (const served of group.versions) {
      if (served.delegated !== true) {
        const list: Handler = (context) => sendPlain(context, documents.resources(served));
        // v1.29 answers those of custom groups to any method.
        add(groupVersionPath(served), isCustomGroupVersion(served) ? list : fixedRoute(documentTypes, list));
      }
    }
  }
  const roots = ["/version", "/api", ...api.groups.filter(hasFixedRoutes).map(({ name }) => `/apis/${name}`)];
  return (path) => routes.get(path) ?? (roots.some((root) => path.startsWith(`${root}/`)) ? notFound : undefined);
}

/**
 * Reports whether unknown paths of a group are answered with a Status: v1.29 does so for built-in groups, others get
 * plain text.
 */
function hasFixedRoutes({ name, versions }: ServedGroup): boolean {
  return name !== "" && versions.some((served) => served.delegated !== true && !isCustomGroupVersion(served));
}

function notFound(): never {
  throw resourceNotFound();
}

function sendPlain(context: RequestContext, document: EncodedDocument): void {
  const chosen = negotiate(context.header("accept"), plainOffer);
  if (chosen === undefined) {
    throw notAcceptable(documentTypes);
  }
  context.audit?.responseBody(document.json);
  sendBytes(context, 200, contentTypeOf[chosen.encoding], bodyOf(context, document, chosen.encoding));
}

/**
 * Returns the handler of the list of groups, or of all their resources for a client that names that form anywhere in
 * its Accept header.
 */
function plainOrAggregated(document: EncodedDocument, aggregated: EncodedDocument): Handler {
  const { group, version, kind } = aggregatedDiscovery;
  return (context) => {
    const chosen = negotiate(context.header("accept"), aggregatedOffer);
    if (chosen === undefined) {
      return sendPlain(context, document);
    }
    const headers = {
      "Content-Type": `${contentTypeOf[chosen.encoding]};g=${group};v=${version};as=${kind}`,
      ETag: aggregated.etag,
      Vary: "Accept",
      "Cache-Control": "public",
    };
    if (context.audit?.recordsResponse === true && evaluatePreconditions(context, headers) === "proceed") {
      context.audit.responseBody(aggregated.json);
    }
    return sendDocument(context, headers, { bytes: bodyOf(context, aggregated, chosen.encoding) });
  };
}

/** Returns what is sent of a document: for people, its JSON is indented. */
function bodyOf(context: RequestContext, document: EncodedDocument, encoding: Encoding): Buffer {
  return encoding === "json" && wantsPretty(context) ? indentJson(document.json) : document.body(encoding);
}

/** Returns a handler that answers with indented JSON, whatever the client accepts. */
function indented(build: () => JsonObject): Handler {
  let bytes: Buffer | undefined;
  return (context) => {
    bytes ??= Buffer.from(JSON.stringify(build(), undefined, 2));
    sendBytes(context, 200, mediaTypes.json, bytes);
  };
}
