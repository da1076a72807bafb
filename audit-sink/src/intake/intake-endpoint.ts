import type { IncomingMessage, ServerResponse } from "node:http";
import { peerAddress } from "@gatehouse/component-base/addresses";
import {
  admitCaller,
  type CallerAdmission,
  type Middleware,
  readBody,
  sendStatus,
} from "@gatehouse/component-base/https-service";
import {
  internalError,
  methodNotAllowed,
  StatusError,
  tooManyRequests,
  unsupportedMediaType,
} from "@gatehouse/envelopes/status";
import { LogWriteError } from "../log/log-batch.js";
import type { SinkLog } from "../sink-log.js";
import { batchOriginOf } from "./batch-origin.js";
import type { ByteBudget } from "./byte-budget.js";
import type { Intake, IntakeResult } from "./intake.js";
import type { IntakeMetrics } from "./intake-metrics.js";
import { networkOf } from "./network-of.js";
import { anyone } from "./parties.js";
import type { RefusedEvent } from "./scan-event-list.js";

/** Path to which senders post EventLists. */
const intakePath = "/audit";

/** An intake, its senders and its limits. */
export interface IntakeEndpointOptions {
  readonly intake: Intake;
  readonly senders: CallerAdmission;
  readonly maxBodyBytes: number;
  /** Bound of all bodies that are held at a time. Its holders are the known senders, and the networks of unknown ones. */
  readonly budget: ByteBudget;
  readonly log: SinkLog;
  readonly metrics: IntakeMetrics;
}

const jsonType = /^application\/json(?:\s*;|$)/i;
const retryWhenBusySeconds = 1;
/** A full disk is not mended in a second. */
const retryWhenFailingSeconds = 5;
/** Events whose problems are told one by one. */
const maxCauses = 100;

/** The answer when everything is durable, the same each time. */
const success = Buffer.from('{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success","code":200}');

/**
 * Takes EventLists in: caller, media type, room for the body, the body, the events. It answers 200 when all of them are
 * durable, and 422 when some cannot be kept; the others are durable then.
 */
export function intakeEndpoint(options: IntakeEndpointOptions): Middleware {
  const { intake, senders, maxBodyBytes, budget, log, metrics } = options;

  async function take(request: IncomingMessage): Promise<{ readonly sender: string; readonly result: IntakeResult }> {
    const sender = await admitCaller(senders, request);
    if (!jsonType.test(request.headers["content-type"] ?? "") || (request.headers["content-encoding"] ?? "") !== "") {
      throw unsupportedMediaType(["application/json"]);
    }
    const origin = batchOriginOf(request.headers);
    // Without a length it may turn out to be the longest.
    const bytes = Math.min(Number(request.headers["content-length"] ?? maxBodyBytes), maxBodyBytes);
    const holder = holderOf(sender, request);
    if (!budget.tryTake(holder, bytes)) {
      throw tooManyRequests("too many events are being kept, please try again later", retryWhenBusySeconds);
    }
    try {
      const body = await readBody(request, maxBodyBytes);
      return { sender, result: await intake.take({ sender, origin, body }) };
    } finally {
      budget.give(holder, bytes);
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { sender, result } = await take(request);
      metrics.taken(sender, result);
      if (result.refused.length > 0) {
        log.eventsRefused(sender, result.refused.length);
        throw partlyRefused(result);
      }
      response.writeHead(200, { "Content-Type": "application/json", "Content-Length": success.length }).end(success);
    } catch (error) {
      const status = statusOf(error);
      metrics.refused(status.code);
      if (status.code >= 500) {
        log.intakeFailed(error instanceof Error ? error : new Error(String(error)));
      } else {
        log.requestRefused(status.code, status.code === 422 ? status.reason : status.message);
      }
      // What is still to come of the body is read and dropped: who writes may not read before it has written.
      request.resume();
      sendStatus(response, status.status);
    }
  }

  return (request, response, next) => {
    if (pathOf(request.url ?? "") !== intakePath) {
      next();
      return;
    }
    if (request.method !== "POST") {
      response.setHeader("Allow", "POST");
      sendStatus(response, methodNotAllowed().status);
      return;
    }
    // What is thrown here can only be a fault in sending; then there is nobody left to tell.
    answer(request, response).catch(() => response.destroy());
  };
}

/** Returns the holder in the byte budget. Senders without a name are told apart by the network that they call from. */
function holderOf(sender: string, request: IncomingMessage): string {
  return sender === anyone ? `${sender} ${networkOf(peerAddress(request.socket) ?? "")}` : sender;
}

function partlyRefused({ kept, duplicates, refused }: IntakeResult): StatusError {
  const told = refused.slice(0, maxCauses);
  const more = refused.length - told.length;
  return new StatusError(
    422,
    "Invalid",
    `${refused.length} of ${kept + duplicates + refused.length} events cannot be kept, the others have been: ${told.map(textOf).join(", ")}${more === 0 ? "" : `, and ${more} more`}`,
    {
      group: "audit.k8s.io",
      kind: "EventList",
      causes: told.map(({ index, problem }) => ({
        reason: "FieldValueInvalid",
        message: problem,
        field: `items[${index}]`,
      })),
    },
  );
}

function textOf({ index, problem }: RefusedEvent): string {
  return `items[${index}]: ${problem}`;
}

function statusOf(error: unknown): StatusError {
  if (error instanceof StatusError) {
    return error;
  }
  if (error instanceof LogWriteError) {
    return new StatusError(
      503,
      "ServiceUnavailable",
      `${error.message}; nothing of the request is kept`,
      { retryAfterSeconds: retryWhenFailingSeconds },
      { cause: error },
    );
  }
  return internalError("the events cannot be kept; the log of the sink has the details", error);
}

function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}
