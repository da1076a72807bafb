import { mediaTypes, StatusError } from "@gatehouse/envelopes";
import type { RequestContext } from "../request/request-context.js";
import { contentTypeOf } from "./negotiation.js";

/** Media types of objects, in v1.29's order. */
export const objectMediaTypes: readonly string[] = Object.values(contentTypeOf);

/** Media types of collections, which can be watched. */
export const collectionMediaTypes: readonly string[] = [
  ...objectMediaTypes,
  `${mediaTypes.json};stream=watch`,
  `${mediaTypes.protobuf};stream=watch`,
];

/**
 * What v1.29's router looks at before anything else: 406 in its words when the Accept header names none of the types,
 * whatever the parameters; of wildcards it knows one. What the parameters ask for is looked at later, with other words.
 */
export function requireAcceptable(context: RequestContext, produced: readonly string[]): void {
  const accept = context.header("accept");
  if (accept === undefined || accept === "" || accept === "*/*" || accept === mediaTypes.json) {
    return;
  }
  for (const clause of accept.split(",")) {
    const type = (clause.split(";", 1)[0] as string).trim();
    if (type === "*/*" || produced.includes(type)) {
      return;
    }
  }
  const message = `406: Not Acceptable\n\nAvailable representations: ${produced.join(", ")}`;
  throw new StatusError(406, "NotAcceptable", message, {});
}

/** 405 for a path that is served, with another method. */
export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
    {},
  );
}

/** 415 of a route that takes certain media types only, which v1.29 does not name. */
export function unsupportedByRoute(): StatusError {
  return new StatusError(415, "UnsupportedMediaType", "415: Unsupported Media Type", {});
}
