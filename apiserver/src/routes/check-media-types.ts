import { mediaTypes } from "@gatehouse/envelopes/names";
import { StatusError } from "@gatehouse/envelopes/status";
import { checkAccept, noRepresentation, typesNamed } from "../http/route-accept.js";
import type { Subresource } from "../registry/resource-definition.js";
import type { RequestContext } from "../request/request-context.js";

const objectTypes: readonly string[] = [mediaTypes.json, mediaTypes.yaml, mediaTypes.protobuf];
const collectionTypes: readonly string[] = [
  ...objectTypes,
  `${mediaTypes.json};stream=watch`,
  `${mediaTypes.protobuf};stream=watch`,
];
const textTypes: readonly string[] = ["text/plain", ...objectTypes];
const patchTypes: readonly string[] = [
  mediaTypes.jsonPatch,
  mediaTypes.mergePatch,
  mediaTypes.strategicMergePatch,
  mediaTypes.applyPatch,
];

/**
 * Checks, as v1.29's router does before any handler, that the answer can come in a media type that the client names,
 * and that a patch comes in a known one. Parameters do not count here, and `application/*` names no type; handlers look
 * at both again, more closely. Throws 406 and 415 with the router's own texts.
 */
export function checkMediaTypes(context: RequestContext, subresource: Subresource | undefined): void {
  if (context.info.verb === "patch") {
    checkPatchType(context);
  }
  const typesOfOne = subresource?.answersText ? textTypes : objectTypes;
  checkAccept(context, isOfCollection(context) ? collectionTypes : typesOfOne);
}

function checkPatchType(context: RequestContext): void {
  const given = context.header("content-type") ?? "";
  if (typesNamed(given).some((type) => patchTypes.includes(type))) {
    return;
  }
  if (Number(context.header("content-length") ?? 0) > 0) {
    throw new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
  }
  throw noRepresentation(context, []);
}

function isOfCollection({ info }: RequestContext): boolean {
  return info.verb === "list" || info.verb === "watch";
}
