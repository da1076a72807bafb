import { sendText } from "@gatehouse/apiserver/http";
import { isLongRunning, type RequestContext } from "@gatehouse/apiserver/request";
import {
  authorityOf,
  type Backend,
  type BackendAnswer,
  filterFields,
  forward,
  forwardUpgrade,
  type HeaderFields,
  type Transport,
} from "@gatehouse/apiserver/reverse-proxy";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { goErrorText } from "@gatehouse/component-base/http-client";
import { identityFieldsOf } from "./forwarded-fields.js";
import { escapedPath, forwardedTarget } from "./forwarded-target.js";

/** Headers of answers that concern other origins: those of this server are the only ones that count. */
const crossOrigin: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
]);

/** Headers of requests that this server sets, whatever the client has sent. */
const replaced: ReadonlySet<string> = new Set([
  "host",
  "audit-id",
  "sec-websocket-protocol",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-forwarded-uri",
  "x-kubernetes-peer-proxied",
]);

/** The way of a request to another API server. */
export interface ForwardingAsUser {
  readonly transport: Transport;
  readonly backend: Backend;
  /** Reports whether a header of the client claims an identity, so that it is not passed on. */
  readonly isClaim: (name: string) => boolean;
  /** Headers besides those that tell the user and the way. */
  readonly further?: HeaderFields;
  /** True if the client is told with a 502 of a redirect, and not sent elsewhere. */
  readonly rejectsRedirects: boolean;
  /** Called with the reason why the other server could not be reached. */
  readonly onFailed?: (error: HttpClientError) => void;
}

/** Passes a request on to another API server, in the name of its user. Answers 503 when that one cannot be reached. */
export function forwardAsUser(context: RequestContext, way: ForwardingAsUser): Promise<void> {
  const forwarding = {
    transport: way.transport,
    backend: way.backend,
    target: forwardedTarget(context),
    fields: (fields: HeaderFields) => fieldsFor(context, way, fields),
    trailers: (fields: HeaderFields) => filterFields(fields, (name) => !way.isClaim(name)),
    answer: withoutCrossOrigin,
    rejectRedirects: way.rejectsRedirects,
    isLongRunning: isLongRunning(context),
  };
  const send = context.exchange.asksForUpgrade ? forwardUpgrade : forward;
  return send(context, forwarding).catch((error: unknown) => sayFailed(context, way, error));
}

function sayFailed(context: RequestContext, { onFailed }: ForwardingAsUser, error: unknown): void {
  if (!(error instanceof HttpClientError)) {
    throw error;
  }
  onFailed?.(error);
  if (context.exchange.status === 0) {
    sendText(context, 503, `error trying to reach service: ${goErrorText(error)}\n`);
  } else {
    context.exchange.breakOff();
  }
}

function fieldsFor(
  { exchange, path, auditID, user }: RequestContext,
  { backend, isClaim, further = [] }: ForwardingAsUser,
  fields: HeaderFields,
): HeaderFields {
  const all = filterFields(fields, (name) => !replaced.has(name) && !isClaim(name));
  // Authentication has removed the token that a browser sends as a protocol.
  const protocols = exchange.headers["sec-websocket-protocol"];
  if (protocols !== undefined && protocols !== "") {
    all.push("Sec-WebSocket-Protocol", protocols);
  }
  const authority = authorityOf(backend);
  all.push("Host", authority, "Audit-Id", auditID, "X-Forwarded-Uri", escapedPath(path));
  all.push("X-Forwarded-Host", authority, "X-Forwarded-Proto", "https", ...identityFieldsOf(user), ...further);
  return all;
}

function withoutCrossOrigin(answer: BackendAnswer): BackendAnswer {
  const fields = filterFields(answer.fields, (name) => !crossOrigin.has(name));
  return fields.length === answer.fields.length ? answer : { ...answer, fields };
}
