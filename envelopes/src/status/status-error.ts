import { goQuote } from "../go/quote.js";
import { type FieldError, maxFieldErrors } from "./field-error.js";

/** meta/v1 Status, the body of every error a client sees. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: StatusDetails;
  readonly code?: number;
}

/** Details of a Status for programs. `kind` holds the resource (`pods`), but in a 422 the kind. */
export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

/** A cause among several of a failure, with the path of the field concerned, if any. */
export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** A resource by name, whatever its version; the core group is empty. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** An error that a client is meant to see. Its stable code is the Kubernetes `reason`. */
export class StatusError extends Error {
  override readonly name = "StatusError";
  readonly status: Status;

  constructor(
    code: number,
    reason: string,
    message: string,
    details?: StatusDetails,
    options?: ErrorOptions & { readonly continueToken?: string },
  ) {
    super(message, options);
    this.status = {
      kind: "Status",
      apiVersion: "v1",
      metadata: options?.continueToken === undefined ? {} : { continue: options.continueToken },
      status: "Failure",
      message,
      ...(reason === "" ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    };
  }

  get code(): number {
    return this.status.code ?? 500;
  }

  get reason(): string {
    return this.status.reason ?? "";
  }
}

/** Returns the text of a group resource: `deployments.apps`, or `pods` for the core group. */
export function groupResourceText(gr: GroupResource): string {
  return gr.group === "" ? gr.resource : `${gr.resource}.${gr.group}`;
}

function resourceDetails(gr: GroupResource, name: string): StatusDetails {
  return {
    ...(name === "" ? {} : { name }),
    ...(gr.group === "" ? {} : { group: gr.group }),
    ...(gr.resource === "" ? {} : { kind: gr.resource }),
  };
}

/** Returns a 400 for a request that cannot be understood; `cause` stays on our side. */
export function badRequest(message: string, cause?: unknown): StatusError {
  return new StatusError(400, "BadRequest", message, undefined, { cause });
}

/** Returns a 401: the user is not authenticated. */
export function unauthorized(message = "Unauthorized"): StatusError {
  return new StatusError(401, "Unauthorized", message);
}

/** Returns a 403 for an action that the user may not do; `detail` is the reason. `name` is empty for a collection. */
export function forbidden(gr: GroupResource, name: string, detail: string): StatusError {
  const what = groupResourceText(gr);
  const message =
    gr.resource === ""
      ? `forbidden: ${detail}`
      : name === ""
        ? `${what} is forbidden: ${detail}`
        : `${what} ${goQuote(name)} is forbidden: ${detail}`;
  return new StatusError(403, "Forbidden", message, resourceDetails(gr, name));
}

/** Returns a 404 for an object that is not there. */
export function notFound(gr: GroupResource, name: string): StatusError {
  return new StatusError(
    404,
    "NotFound",
    `${groupResourceText(gr)} ${goQuote(name)} not found`,
    resourceDetails(gr, name),
  );
}

/** The path leads to no resource at all. */
export function resourceNotFound(): StatusError {
  return new StatusError(404, "NotFound", "the server could not find the requested resource", {});
}

/** Returns a 405: the path exists, but not for this method. */
export function methodNotAllowed(): StatusError {
  return new StatusError(
    405,
    "MethodNotAllowed",
    "the server does not allow this method on the requested resource",
    {},
  );
}

/** Returns a 405 for a verb that a resource does not have. */
export function methodNotSupported(gr: GroupResource, verb: string): StatusError {
  return new StatusError(
    405,
    "MethodNotAllowed",
    `${verb} is not supported on resources of kind ${goQuote(groupResourceText(gr))}`,
    resourceDetails(gr, ""),
  );
}

/** Returns a 406: no media type in Accept can be served. */
export function notAcceptable(supported: readonly string[]): StatusError {
  return new StatusError(406, "NotAcceptable", `only the following media types are accepted: ${supported.join(", ")}`);
}

/** Returns a 406 like `notAcceptable`, for when v1.29's router finds it before the path's handler is called. */
export function routeNotAcceptable(supported: readonly string[]): StatusError {
  const message = `406: Not Acceptable\n\nAvailable representations: ${supported.join(", ")}`;
  return new StatusError(406, "NotAcceptable", message, {});
}

/**
 * Returns v1.29's 415 of a write that does not state its body's length, which its router takes for a wrong media type.
 */
export function routeUnsupportedMediaType(supported: readonly string[]): StatusError {
  const message = `415: Unsupported Media Type\n\nAvailable representations: ${supported.join(", ")}`;
  return new StatusError(415, "UnsupportedMediaType", message, {});
}

/** Returns a 409 for the creation of an object whose name is taken. */
export function alreadyExists(gr: GroupResource, name: string): StatusError {
  return new StatusError(
    409,
    "AlreadyExists",
    `${groupResourceText(gr)} ${goQuote(name)} already exists`,
    resourceDetails(gr, name),
  );
}

/** Returns a 409 after generateName found no free name; the client may try again. */
export function generateNameConflict(gr: GroupResource, name: string): StatusError {
  return new StatusError(
    409,
    "AlreadyExists",
    `${groupResourceText(gr)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`,
    { ...resourceDetails(gr, name), retryAfterSeconds: 1 },
  );
}

/** The detail of a conflict with a stale resourceVersion. */
export const staleObjectDetail =
  "the object has been modified; please apply your changes to the latest version and try again";

/**
 * Returns a 409 for a write that the current state does not allow; `detail` is the reason, by default that the object
 * has changed.
 */
export function conflict(gr: GroupResource, name: string, detail: string = staleObjectDetail): StatusError {
  return new StatusError(
    409,
    "Conflict",
    `Operation cannot be fulfilled on ${groupResourceText(gr)} ${goQuote(name)}: ${detail}`,
    resourceDetails(gr, name),
  );
}

/** Returns a 410 for a version that is no longer retained (`Expired`). */
export function expired(message: string, continueToken?: string): StatusError {
  return new StatusError(410, "Expired", message, undefined, continueToken === undefined ? {} : { continueToken });
}

/** Returns a 410 for a version older than the oldest that is retained. */
export function tooOldResourceVersion(requested: number, oldest: number): StatusError {
  return expired(`too old resource version: ${requested} (${oldest})`);
}

/** Returns a 413; `detail` names the limit. */
export function requestEntityTooLarge(detail: string): StatusError {
  return new StatusError(413, "RequestEntityTooLarge", `Request entity too large: ${detail}`);
}

/** Returns a 415: the media type of the body is none of those `supported`. */
export function unsupportedMediaType(supported: readonly string[]): StatusError {
  return new StatusError(
    415,
    "UnsupportedMediaType",
    `the body of the request was in an unknown format - accepted media types include: ${supported.join(", ")}`,
  );
}

/** The limit of error texts in an answer, in characters: they may quote the object. */
const maxErrorsLength = 1024 * 1024;

/**
 * Returns a 422 for an object that its kind's validation rejects. `qualifiedKind` is `Deployment.apps` or `Pod`. The
 * answer lists no more than `maxFieldErrors` errors and says where it leaves out others.
 */
export function invalid(
  kind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): StatusError {
  const qualifiedKind = kind.group === "" ? kind.kind : `${kind.kind}.${kind.group}`;
  const listed = errors.slice(0, countListed(errors));
  const texts = [...new Set(listed.map((error) => `${error.field}: ${error.message}`))];
  const causes: StatusCause[] = listed.map((error) => ({
    reason: error.type,
    message: error.message,
    field: error.field,
  }));
  if (listed.length < errors.length) {
    const more = `more errors than the first ${listed.length}, which are listed here`;
    texts.push(more);
    causes.push({ message: more });
  }
  const list = texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`;
  return new StatusError(422, "Invalid", `${qualifiedKind} ${goQuote(name)} is invalid: ${list}`, {
    ...(name === "" ? {} : { name }),
    ...(kind.group === "" ? {} : { group: kind.group }),
    ...(kind.kind === "" ? {} : { kind: kind.kind }),
    causes,
  });
}

/** Returns the number of errors that fit into an answer; one always does. */
function countListed(errors: readonly FieldError[]): number {
  let length = 0;
  for (const [index, error] of errors.entries()) {
    length += error.field.length + error.message.length;
    if (index === maxFieldErrors || (index > 0 && length > maxErrorsLength)) {
      return index;
    }
  }
  return errors.length;
}

/** Returns a 429; the client may try again after `retryAfterSeconds`. */
export function tooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return new StatusError(429, "TooManyRequests", message, { retryAfterSeconds });
}

/** Returns a 500 for a fault of ours; `message` is shown to the client, `cause` is not. */
export function internalError(message: string, cause?: unknown): StatusError {
  return new StatusError(
    500,
    "InternalError",
    `Internal error occurred: ${message}`,
    { causes: [{ message }] },
    { cause },
  );
}

/** Returns a 503 while the server cannot answer but may soon; `retryAfterSeconds` of zero gives no advice. */
export function serviceUnavailable(message: string, retryAfterSeconds = 0): StatusError {
  const details = retryAfterSeconds === 0 ? undefined : { retryAfterSeconds };
  return new StatusError(503, "ServiceUnavailable", message, details);
}

/** Returns a 504; `retryAfterSeconds` of zero gives no advice. */
export function timeout(message: string, retryAfterSeconds = 0): StatusError {
  return new StatusError(504, "Timeout", `Timeout: ${message}`, retryAfterSeconds === 0 ? {} : { retryAfterSeconds });
}

/** Returns an error for a requested version that lies in the future and did not arrive in time. */
export function tooLargeResourceVersion(requested: number, current: number, retryAfterSeconds = 1): StatusError {
  return new StatusError(504, "Timeout", `Timeout: Too large resource version: ${requested}, current: ${current}`, {
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
    ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
  });
}
