import type { IncomingMessage, ServerResponse } from "node:http";
import {
  admitCaller,
  type CallerAdmission,
  type Middleware,
  sendJson,
  sendStatus,
} from "@gatehouse/component-base/https-service";
import type { Logger } from "@gatehouse/component-base/logs";
import {
  internalError,
  methodNotAllowed,
  resourceNotFound,
  StatusError,
  serviceUnavailable,
  tooManyRequests,
} from "@gatehouse/envelopes/status";
import { type EventIndex, IndexBusyError } from "../index-store/event-index.js";
import { answerEvent, answerEvents } from "./answer-events.js";
import { answerStats } from "./answer-stats.js";
import { QueryParameters } from "./query-parameters.js";
import { streamTail } from "./tail-response.js";

/** Index, readers and limits of the query API. */
export interface QueryRoutesOptions {
  /** Index that answers queries; without one they are answered 404, with the reason. */
  readonly index: EventIndex | undefined;
  readonly readers: CallerAdmission;
  readonly logger: Logger;
  /** Maximum number of simultaneous followers. Default 32. */
  readonly maxTails?: number;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

/** The routes below `/api`. Disposed of, they end what still follows. */
export interface QueryRoutes extends Disposable {
  readonly middleware: Middleware;
}

const defaultMaxTails = 32;

/** Serves `/api/events`, `/api/events/POSITION`, `/api/tail`, `/api/stats` and `/api/whoami` to readers. */
export function queryRoutes(options: QueryRoutesOptions): QueryRoutes {
  const { readers, logger, maxTails = defaultMaxTails, now = Date.now } = options;
  const tails = new Set<() => void>();
  let isOver = false;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "https://host");
    const name = await admitCaller(readers, request);
    if (request.method !== "GET") {
      throw methodNotAllowed();
    }
    if (pathname === "/api/whoami") {
      sendJson(response, 200, { name });
      return;
    }
    const index = options.index ?? throwNoIndex();
    const [, , word, position, ...rest] = pathname.split("/");
    if (word === "events" && position === undefined) {
      sendBytes(response, await answerEvents(index, searchParams, now()));
    } else if (word === "events" && rest.length === 0) {
      sendBytes(response, await answerEvent(index, position as string));
    } else if (word === "stats" && position === undefined) {
      sendJson(response, 200, await answerStats(index, searchParams, now()));
    } else if (word === "tail" && position === undefined) {
      follow(index, searchParams, response);
    } else {
      throw resourceNotFound();
    }
  }

  function follow(index: EventIndex, query: URLSearchParams, response: ServerResponse): void {
    const parameters = new QueryParameters(query, [], now());
    const filter = parameters.filter();
    parameters.assertValid();
    if (isOver) {
      throw serviceUnavailable("the audit sink is stopping");
    }
    if (tails.size >= maxTails) {
      throw tooManyRequests(`${maxTails} readers follow events already`, 10);
    }
    const end = streamTail(index, filter, response);
    tails.add(end);
    response.once("close", () => tails.delete(end));
  }

  return {
    middleware(request, response, next) {
      if (!/^\/api(?:[/?]|$)/.test(request.url ?? "")) {
        next();
        return;
      }
      response.setHeader("Cache-Control", "no-store");
      response.setHeader("X-Content-Type-Options", "nosniff");
      response.setHeader("Cross-Origin-Resource-Policy", "same-origin");
      answer(request, response).catch((error: unknown) => {
        sendStatus(response, statusOf(error, logger).status);
      });
    },
    [Symbol.dispose]() {
      isOver = true;
      for (const end of [...tails]) {
        end();
      }
    },
  };
}

function throwNoIndex(): never {
  const message = "this audit sink keeps no index: its configuration has no member index";
  throw new StatusError(404, "NotFound", message);
}

function statusOf(error: unknown, logger: Logger): StatusError {
  if (error instanceof StatusError) {
    return error;
  }
  if (error instanceof IndexBusyError) {
    return tooManyRequests(error.message, 1);
  }
  logger.error("a question cannot be answered", { error: error instanceof Error ? error : new Error(String(error)) });
  return internalError("the question cannot be answered");
}

function sendBytes(response: ServerResponse, bytes: Buffer): void {
  if (!response.headersSent && !response.destroyed) {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": bytes.length }).end(bytes);
  }
}
