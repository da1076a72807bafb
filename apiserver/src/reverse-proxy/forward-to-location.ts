import { posix } from "node:path";
import { HttpClientError } from "@gatehouse/component-base/errors";
import { goErrorText } from "@gatehouse/component-base/http-client";
import { badRequest, StatusError, serviceUnavailable } from "@gatehouse/envelopes/status";
import { sendAnswer } from "../http/answer.js";
import type { HeaderFields } from "../request/header-fields.js";
import type { RequestContext } from "../request/request-context.js";
import type { Backend } from "./backend.js";
import { escapePath } from "./escape-path.js";
import { forward } from "./forward.js";
import { forwardUpgrade, InvalidUpgradeError } from "./forward-upgrade.js";
import { withField } from "./forwarded-fields.js";
import { linkRewriter } from "./rewrite-links.js";
import type { Transport } from "./transport.js";
import { BackendClosedError } from "./transport-errors.js";
import type { TunnelOptions } from "./tunnel.js";

/** The place that a request is forwarded to. */
export interface Location {
  readonly backend: Backend;
  /** The path, without escapes; may be empty. */
  readonly path: string;
  /** The query of requests for another protocol; other requests keep their own. */
  readonly query: string;
}

/** Options for forwarding to any location. */
export interface PassingOptions extends TunnelOptions {
  /** Removes the credentials of the client. */
  readonly withoutCredentials: (fields: HeaderFields) => HeaderFields;
}

/** Options for forwarding to a location. */
export interface LocationOptions extends PassingOptions {
  readonly transport: Transport;
  /** True if only requests for another protocol are forwarded. */
  readonly upgradeRequired: boolean;
  /** True if the answer shall lead back here: links in HTML and redirects are changed, CORS headers removed. */
  readonly rewritesLinks: boolean;
}

/**
 * Forwards a request to a location, as v1.29 does for nodes, pods and services. Rejects with a StatusError that has v1.29's
 * words.
 */
export async function forwardToLocation(
  context: RequestContext,
  location: Location,
  options: LocationOptions,
): Promise<void> {
  const { exchange } = context;
  const { backend } = location;
  const { transport, upgradeRequired, rewritesLinks, withoutCredentials: fields } = options;
  if (exchange.asksForUpgrade) {
    const query = location.query === "" ? "" : `?${location.query}`;
    const target = `${escapePath(location.path) || "/"}${query}`;
    try {
      await forwardUpgrade(context, { ...options, backend, target, fields, isLongRunning: true });
    } catch (error) {
      throw upgradeError(error);
    }
    return;
  }
  if (upgradeRequired) {
    throw badRequest("Upgrade request required");
  }
  const queryAt = exchange.target.indexOf("?");
  const query = queryAt < 0 ? "" : exchange.target.slice(queryAt);
  const isFolder = context.path.endsWith("/");
  const path = isFolder && !location.path.endsWith("/") ? `${location.path}/` : location.path;
  if (path === "" && (exchange.method === "GET" || exchange.method === "HEAD")) {
    // Relative links of a page need a folder to start from.
    await redirect(context, `${context.path}/${query === "?" ? "" : query}`);
    return;
  }
  const target = escapePath(path.startsWith("/") ? path : `/${path}`);
  const prefix = prefixOf(context.path, isFolder ? path : location.path);
  const uri = `${posix.join(prefix, target).replace(/\/$/, "")}${target.endsWith("/") ? "/" : ""}`;
  const forwardedUri = Buffer.from(uri).toString("latin1");
  try {
    await forward(context, {
      transport,
      backend,
      target: `${target}${query === "?" ? "" : query}`,
      isLongRunning: true,
      fields: (all) => {
        const kept = fields(all);
        return rewritesLinks ? withField(kept, "X-Forwarded-Uri", forwardedUri) : kept;
      },
      ...(rewritesLinks ? { answer: linkRewriter({ backend, prefix, host: hostOf(context) }) } : {}),
    });
  } catch (error) {
    throw error instanceof HttpClientError
      ? serviceUnavailable(`error trying to reach service: ${goErrorText(error)}`)
      : error;
  }
}

async function redirect(context: RequestContext, location: string): Promise<void> {
  await context.exchange.mayBegin(301);
  sendAnswer(context, 301, { Location: Buffer.from(location).toString("latin1") });
}

/** Returns the part of a request's path in front of the path of its location. */
function prefixOf(path: string, suffix: string): string {
  return suffix !== "" && path.endsWith(suffix) ? path.slice(0, -suffix.length) : path;
}

function hostOf({ exchange: { headers } }: RequestContext): string {
  const authority = headers[":authority"];
  return headers.host ?? (typeof authority === "string" ? authority : "");
}

function upgradeError(error: unknown): unknown {
  if (error instanceof InvalidUpgradeError) {
    return new StatusError(500, "", error.message, undefined, { cause: error });
  }
  if (!(error instanceof HttpClientError)) {
    return error;
  }
  // The connection was there, and ended before there was an answer.
  const text =
    error.cause instanceof BackendClosedError ? "unexpected EOF" : `error dialing backend: ${goErrorText(error)}`;
  return new StatusError(500, "", text, undefined, { cause: error });
}
