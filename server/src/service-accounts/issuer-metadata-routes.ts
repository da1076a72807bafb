import { checkAccept, sendBytes, sendText } from "@gatehouse/apiserver/http";
import type { Routes } from "@gatehouse/apiserver/routes";
import { methodNotAllowed } from "@gatehouse/envelopes/status";
import type { IssuerMetadata } from "./issuer-metadata.js";

const documents: ReadonlyMap<string, { readonly part: keyof IssuerMetadata; readonly mediaType: string }> = new Map([
  ["/.well-known/openid-configuration", { part: "configuration", mediaType: "application/json" }],
  ["/openid/v1/jwks", { part: "keySet", mediaType: "application/jwk-set+json" }],
]);

/** Paths of the documents, for the list of paths at `/`. */
export const issuerMetadataPaths: readonly string[] = [...documents.keys()];

/** Routes of the documents with which others verify service account tokens (OpenID Connect Discovery 1.0). */
export function issuerMetadataRoutes(metadata: () => IssuerMetadata | undefined): Routes {
  return (path) => {
    const document = documents.get(path.replace(/\/$/, ""));
    if (document === undefined) {
      return undefined;
    }
    const { part, mediaType } = document;
    return (context) => {
      const found = metadata();
      if (found === undefined) {
        return sendText(context, 404, "404 page not found\n");
      }
      if (context.method !== "GET") {
        throw methodNotAllowed();
      }
      checkAccept(context, [mediaType]);
      context.setHeader("Cache-Control", "public, max-age=3600");
      sendBytes(context, 200, mediaType, Buffer.from(found[part]));
    };
  };
}
