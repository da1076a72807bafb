import { mediaTypes } from "@gatehouse/envelopes/names";
import { routeNotAcceptable, routeUnsupportedMediaType, type StatusError } from "@gatehouse/envelopes/status";
import type { RequestContext } from "../request/request-context.js";

/**
 * Checks, as v1.29's router does before any handler, that the answer can come in a media type that the client names.
 * Parameters do not count here, and `application/*` names no type; handlers look again, more closely. Throws 406, or
 * 415 as below, with the router's own text.
 */
export function checkAccept(context: RequestContext, available: readonly string[]): void {
  const accept = context.header("accept");
  const isPlain = accept === undefined || accept === "" || accept === "*/*";
  if (isPlain || (accept === mediaTypes.json && available.includes(mediaTypes.json))) {
    return;
  }
  if (!typesNamed(accept).some((type) => type === "*/*" || available.includes(type))) {
    throw noRepresentation(context, available);
  }
}

const methodsWithBody = new Set(["POST", "PUT", "PATCH"]);

/** Returns v1.29's router error for when no route has a suitable media type. */
export function noRepresentation(context: RequestContext, available: readonly string[]): StatusError {
  const isOfUnknownLength = methodsWithBody.has(context.method) && (context.header("content-length") ?? "") === "";
  return isOfUnknownLength ? routeUnsupportedMediaType(available) : routeNotAcceptable(available);
}

/** Returns the media types of a header, without their parameters. */
export function typesNamed(header: string): string[] {
  return header.split(",").map((item) => (item.split(";", 1)[0] as string).trim());
}
