import type { Logger } from "@gatehouse/component-base";
import type { RequestContext } from "./request/request-context.js";

/** Requests slower than this are worth a line. */
const slowRequestMs = 1000;

/**
 * Every line the server logs, in one place. Expected refusals (4xx) are info, our own faults are errors. Nothing here
 * takes an object, a patch, a token or a key.
 */
export class ServerLog {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  listening(host: string, port: number, startedInMs: number): void {
    this.#logger.info({ host, port, startedInMs: Math.round(startedInMs) }, "serving");
  }

  stopping(signal: string): void {
    this.#logger.info({ signal }, "stopping");
  }

  certificatesMade(directory: string): void {
    this.#logger.info({ directory }, "no certificate was given; made a self-signed one");
  }

  request(context: RequestContext, code: number, durationMs: number): void {
    const failed = code >= 500;
    if (!failed && durationMs < slowRequestMs) {
      return;
    }
    const { info } = context;
    const fields = {
      auditID: context.auditID,
      user: context.user?.username,
      verb: info?.verb,
      resource: info?.resource,
      subresource: info?.subresource === "" ? undefined : info?.subresource,
      namespace: info?.namespace,
      name: info?.name,
      code,
      durationMs: Math.round(durationMs),
    };
    if (failed) {
      this.#logger.error(fields, "request failed");
    } else {
      this.#logger.info(fields, "slow request");
    }
  }

  requestFailed(context: RequestContext, error: unknown): void {
    this.#logger.error({ auditID: context.auditID, path: context.path, err: describeError(error) }, "request threw");
  }

  controllerFailed(controller: string, error: unknown): void {
    this.#logger.error({ controller, err: describeError(error) }, "controller failed; it will try again");
  }

  storeTrouble(error: unknown): void {
    this.#logger.error({ err: describeError(error) }, "the store's watch broke; reading anew");
  }
}

/** Name, message and stack of an error, never the values it carries. */
function describeError(error: unknown): { name: string; message: string; stack: string | undefined } {
  return error instanceof Error
    ? { name: error.name, message: error.message, stack: error.stack }
    : { name: "Error", message: "a value that is not an Error was thrown", stack: undefined };
}
