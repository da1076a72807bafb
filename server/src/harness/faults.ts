import { setTimeout as pause } from "node:timers/promises";
import type { Handler, RequestContext } from "@gatehouse/apiserver/request";
import { conflict, StatusError } from "@gatehouse/envelopes/status";
import type { HarnessFilter } from "./harness-parts.js";

/** The attributes of a request by which faults are chosen; those of resources are empty for other paths. */
export interface FaultedRequest {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
  readonly user: string;
}

/** The faults of one request. */
export interface RequestFault {
  /** Milliseconds before the request goes on. */
  readonly latencyMs?: number | undefined;
  /** The answer in place of the server's; `conflict` is that of a write that has lost a race. */
  readonly error?: "conflict" | FaultStatus | undefined;
  /** The point at which the connection is cut: before the server does anything, or when it is about to answer. */
  readonly cut?: "before" | "after" | undefined;
  /** `drop` cuts the connection of a watch in place of its next event; `stale` sends none until `removed` aborts, then cuts. */
  readonly watch?: "drop" | "stale" | undefined;
  /** The signal that aborts when the fault is taken away. */
  readonly removed: AbortSignal;
}

/** A failure as clients get it. */
export interface FaultStatus {
  readonly code: number;
  readonly reason?: string;
  readonly message?: string;
  readonly retryAfterSeconds?: number;
}

/** Faults of requests, and the connections that they cut. */
export class FaultInjector {
  readonly #faultsOf: (request: FaultedRequest) => RequestFault | undefined;
  readonly #underWay = new Map<RequestContext, FaultedRequest>();

  constructor(faultsOf: (request: FaultedRequest) => RequestFault | undefined) {
    this.#faultsOf = faultsOf;
  }

  /** Cuts the connections of requests under way that match; returns how many there were. */
  cut(matches: (request: FaultedRequest) => boolean): number {
    const cut = [...this.#underWay].filter(([, request]) => matches(request));
    for (const [context] of cut) {
      cutConnection(context);
    }
    return cut.length;
  }

  readonly filter: HarnessFilter = (context, next) => {
    const request = attributesOf(context);
    this.#underWay.set(context, request);
    context.exchange.whenClosed(() => this.#underWay.delete(context));
    const fault = this.#faultsOf(request);
    return fault === undefined ? next(context) : applyFault(fault, { context, request, next });
  };
}

async function applyFault(
  fault: RequestFault,
  { context, request, next }: { context: RequestContext; request: FaultedRequest; next: Handler },
): Promise<void> {
  const { latencyMs, cut, error, watch } = fault;
  if (latencyMs !== undefined) {
    // A client that has gone, or a request whose time is over, ends the wait.
    await pause(latencyMs, undefined, { signal: context.signal }).catch(() => {});
  }
  if (context.isClosed) {
    return;
  }
  if (cut === "before") {
    cutConnection(context);
    return;
  }
  if (error !== undefined) {
    throw errorOf(error, request);
  }
  if (cut === "after") {
    cutInPlaceOfAnswer(context);
  }
  if (watch !== undefined && request.verb === "watch") {
    cutEvents(context, fault);
  }
  await next(context);
}

function attributesOf({ info, path, user }: RequestContext): FaultedRequest {
  const { verb, group, resource, subresource, namespace, name } = info;
  return { verb, group, resource, subresource, namespace, name, path, user: user.username };
}

function errorOf(error: "conflict" | FaultStatus, { group, resource, name }: FaultedRequest): StatusError {
  if (error === "conflict") {
    return conflict({ group, resource }, name);
  }
  const { code, reason = "", message = "injected by a test", retryAfterSeconds } = error;
  return new StatusError(code, reason, message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
}

/** Cuts a connection with everything that is under way on it. */
function cutConnection({ exchange }: RequestContext): void {
  exchange.socket?.destroy();
}

/** Lets the server do its work, and cuts the connection when it would answer. */
function cutInPlaceOfAnswer(context: RequestContext): void {
  const cut = (): void => cutConnection(context);
  Object.assign(context.exchange, { send: cut, begin: cut });
}

/** Keeps the events of a watch back. Its head is sent, so that the client takes it for a watch that has begun. */
function cutEvents(context: RequestContext, { watch, removed }: RequestFault): void {
  const take = (): boolean => {
    if (watch === "drop") {
      cutConnection(context);
    }
    return true;
  };
  Object.assign(context.exchange, { write: take, writeShared: take });
  if (watch === "stale") {
    const cut = (): void => cutConnection(context);
    removed.addEventListener("abort", cut, { once: true });
    context.exchange.whenClosed(() => removed.removeEventListener("abort", cut));
  }
}
