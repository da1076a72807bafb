import { createHash } from "node:crypto";
import { type JsonObject, mediaTypes, notAcceptable } from "@gatehouse/envelopes";
import { indentJson } from "../http/indent-json.js";
import { contentTypeOf, negotiate, type Offer, plainOffer } from "../http/negotiation.js";
import { sendBytes, sendJsonBytes, wantsPretty } from "../http/responder.js";
import { methodNotAllowed, objectMediaTypes, requireAcceptable } from "../http/route.js";
import type { Handler } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import { aggregatedDiscovery, apiGroupDiscoveryListDocument } from "./aggregated-document.js";
import { type EncodedDocument, encodedDocument } from "./encoded-document.js";
import {
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
} from "./group-documents.js";
import { groupVersionPath, rootPathsDocument } from "./root-paths.js";
import { sendDocument } from "./send-document.js";
import type { ServedApi, ServedGroup } from "./served-api.js";
import { type VersionInfo, versionDocument } from "./version-info.js";

export interface DiscoveryOptions {
  /** What `/version` tells. */
  readonly version: VersionInfo;
  /** What `/` lists besides discovery and OpenAPI: health checks, metrics, ... */
  readonly otherPaths: readonly string[];
}

const metaMessage = (kind: string): string => `k8s.io.apimachinery.pkg.apis.meta.v1.${kind}`;
const aggregatedMessage = "k8s.io.api.apidiscovery.v2beta1.APIGroupDiscoveryList";

const aggregatedOffer: Offer = {
  encodings: plainOffer.encodings,
  transformations: ["APIGroupDiscoveryList"],
  onlyTransformed: true,
};

/** Finds who answers a path of discovery (SPEC "Endpoints"), `/version` or `/`. Documents are made when first read. */
export function discoveryRoutes(api: ServedApi, options: DiscoveryOptions): (path: string) => Handler | undefined {
  const routes = new Map<string, Handler>();
  const add = (path: string, handler: Handler): void => {
    routes.set(path, handler);
    routes.set(`${path}/`, handler);
  };
  const core = api.groups.filter((group) => group.name === "");
  const named = api.groups.filter((group) => group.name !== "");
  const resourceLists = (groups: readonly ServedGroup[]): void => {
    for (const group of groups) {
      for (const served of group.versions) {
        if (served.delegated !== true) {
          const list = (): JsonObject => apiResourceListDocument(group.name, served);
          add(
            groupVersionPath(group.name, served.version),
            route(objectMediaTypes, plain(encodedDocument(metaMessage("APIResourceList"), list))),
          );
        }
      }
    }
  };
  const versions = encodedDocument(metaMessage("APIVersions"), () => apiVersionsDocument(api));
  add("/api", route(objectMediaTypes, plainOrAggregated(versions, core)));
  resourceLists(core);
  const groupList = encodedDocument(metaMessage("APIGroupList"), () => apiGroupListDocument(api));
  add("/apis", plainOrAggregated(groupList, named));
  for (const group of named) {
    add(`/apis/${group.name}`, plain(encodedDocument(metaMessage("APIGroup"), () => apiGroupDocument(group))));
  }
  resourceLists(named);
  add(
    "/version",
    route(
      [mediaTypes.json],
      indented(() => versionDocument(options.version)),
    ),
  );
  const index = indented(() => rootPathsDocument(api, options.otherPaths));
  routes.set("/", index);
  routes.set("/index.html", index);
  return (path) => routes.get(path);
}

function plain(document: EncodedDocument): Handler {
  return (context) => sendPlain(context, document);
}

function sendPlain(context: RequestContext, document: EncodedDocument): void {
  const chosen = negotiate(context.header("accept"), plainOffer);
  if (chosen === undefined) {
    throw notAcceptable(plainOffer.encodings.map((encoding) => contentTypeOf[encoding]));
  }
  const bytes = document.bytes(chosen.encoding);
  if (chosen.encoding === "json") {
    sendJsonBytes(context, 200, bytes);
  } else {
    sendBytes(context, 200, contentTypeOf[chosen.encoding], bytes);
  }
}

/** The list of groups, or all their resources at once for a client that asks for it anywhere in its Accept header. */
function plainOrAggregated(document: EncodedDocument, groups: readonly ServedGroup[]): Handler {
  const aggregated = encodedDocument(aggregatedMessage, () => apiGroupDiscoveryListDocument(groups));
  const { group, version, kind } = aggregatedDiscovery;
  let etag: string | undefined;
  return (context) => {
    const chosen = negotiate(context.header("accept"), aggregatedOffer);
    if (chosen === undefined) {
      return sendPlain(context, document);
    }
    etag ??= `"${createHash("sha512").update(aggregated.bytes("json")).digest("hex").toUpperCase()}"`;
    const headers = {
      "Content-Type": `${contentTypeOf[chosen.encoding]};g=${group};v=${version};as=${kind}`,
      ETag: etag,
      Vary: "Accept",
      "Cache-Control": "public",
    };
    const bytes = aggregated.bytes(chosen.encoding);
    return sendDocument(context, headers, { bytes: chosen.encoding === "json" ? jsonText(context, bytes) : bytes });
  };
}

/** Ends as Go's encoder ends: with a newline, unless indented. */
function jsonText(context: RequestContext, json: Buffer): Buffer {
  return wantsPretty(context) ? indentJson(json) : Buffer.concat([json, Buffer.from("\n")]);
}

/** JSON for people, whatever the client asks for. */
function indented(build: () => JsonObject): Handler {
  let bytes: Buffer | undefined;
  return (context) => {
    bytes ??= Buffer.from(JSON.stringify(build(), undefined, 2));
    sendBytes(context, 200, mediaTypes.json, bytes);
  };
}

/** A route of the API: GET only, and only for clients that accept one of the media types that it can be had in. */
function route(produced: readonly string[], handler: Handler): Handler {
  return (context) => {
    if (context.method !== "GET") {
      throw methodNotAllowed();
    }
    requireAcceptable(context, produced);
    return handler(context);
  };
}
