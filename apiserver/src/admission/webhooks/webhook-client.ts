import { setTimeout as pause } from "node:timers/promises";
import { HttpClientError } from "@gatehouse/component-base/errors";
import {
  createHttpClientPool,
  goCallError,
  type HttpCaller,
  type HttpClientPool,
  type HttpResponse,
  tell,
} from "@gatehouse/component-base/http-client";
import type { ClientIdentity } from "@gatehouse/component-base/kubeconfig";
import { retryAfterMs } from "../../review-webhooks/retry-after.js";
import { answerProblem, emptyBodyProblem } from "../../review-webhooks/server-problem.js";
import type { ServiceAddresses } from "../../review-webhooks/service-addresses.js";
import { servicePathOf, webhookPathOf } from "../../review-webhooks/webhook-path.js";
import type { Webhook, WebhookAddress } from "./webhook.js";
import type { WebhookCredentials } from "./webhook-credentials.js";
import { WebhookFailedError } from "./webhook-failure.js";

/** The options of a WebhookClient. */
export interface WebhookClientOptions {
  readonly credentials: WebhookCredentials;
  readonly serviceAddresses: ServiceAddresses;
  /** Called before each call; absent for none. */
  readonly beforeCall?: BeforeWebhook | undefined;
}

/**
 * A test's hand in the calls of webhooks. May take its time. Text that it returns makes the call fail with that reason, as
 * if there were no connection.
 */
export type BeforeWebhook = (
  webhook: Pick<Webhook, "configuration" | "name">,
) => string | undefined | Promise<string | undefined>;

/** One call of a webhook. */
export interface WebhookCall {
  readonly webhook: Webhook;
  readonly body: string;
  /** The signal of the request that the call belongs to. */
  readonly signal: AbortSignal;
  /** Milliseconds that the webhook may take. */
  readonly timeoutMs: number;
  /** Milliseconds left of the request, sent to the webhook as the limit. */
  readonly remainingMs: number;
  /** The span of the call, sent to the webhook; undefined for one that is not traced. */
  readonly traceparent?: string | undefined;
}

/** Limit in bytes of a webhook's response: patches are much smaller. */
const maxResponseBytes = 8 * 1024 * 1024;
/** Number of retries for servers that ask to be called again later, as in v1.29. */
const maxRetries = 10;

/** Calls webhooks over kept connections: one pool for each address, authority and identity. */
export class WebhookClient implements Disposable {
  readonly #options: WebhookClientOptions;
  readonly #pool: HttpClientPool = createHttpClientPool();
  readonly #targets = new WeakMap<Webhook, Target>();

  constructor(options: WebhookClientOptions) {
    this.#options = options;
  }

  /** Resolves to the body of an answer that is a success. Rejects with WebhookFailedError. */
  async call({ webhook, body, signal, timeoutMs, remainingMs, traceparent }: WebhookCall): Promise<Buffer> {
    const target = this.#targetOf(webhook);
    const toldMs = Math.max(1, Math.min(timeoutMs, remainingMs));
    const path = `${target.path}?timeout=${Math.ceil(toldMs / 1000)}s`;
    const deadline = performance.now() + timeoutMs;
    for (let attempt = 0; ; attempt++) {
      const left = Math.max(1, deadline - performance.now());
      const response = await this.#post(webhook, target, { path, body, signal, timeoutMs: left, traceparent });
      const waitMs = attempt < maxRetries ? retryAfterMs(response) : undefined;
      if (waitMs === undefined) {
        return successOf(webhook, response);
      }
      tell("retry", () => ({ method: "POST", host: new URL(target.origin).host, status: response.status }));
      const leftMs = deadline - performance.now();
      await this.#wait(webhook, target, path, Math.min(waitMs, leftMs), signal);
      if (waitMs >= leftMs) {
        const over = new HttpClientError("timeout", "the server wants to be asked later than there is time for");
        throw failedCall(webhook, goCallError("POST", `${target.origin}${path}`, over), 400);
      }
    }
  }

  async #post(
    webhook: Webhook,
    { caller, origin, host }: Target,
    { path, body, signal, timeoutMs, traceparent }: Omit<WebhookCall, "webhook" | "remainingMs"> & { path: string },
  ): Promise<HttpResponse> {
    try {
      const refusal = this.#options.beforeCall === undefined ? undefined : await this.#options.beforeCall(webhook);
      if (refusal !== undefined) {
        throw new HttpClientError("connection", refusal);
      }
      return await caller.request({
        method: "POST",
        path,
        headers: {
          "content-type": "application/json",
          accept: "application/json, */*",
          host,
          ...(traceparent === undefined ? {} : { traceparent }),
        },
        body,
        signal,
        timeoutMs,
        maxResponseBytes,
      });
    } catch (error) {
      if (error instanceof HttpClientError) {
        throw failedCall(webhook, goCallError("POST", `${origin}${path}`, error), 400, {
          cause: error,
          wasAborted: error.failure === "aborted",
        });
      }
      throw error;
    }
  }

  /** Waits before a retry. Rejects with WebhookFailedError when the request ends first. */
  async #wait(webhook: Webhook, { origin }: Target, path: string, ms: number, signal: AbortSignal): Promise<void> {
    try {
      await pause(Math.max(0, ms), undefined, { signal });
    } catch (error) {
      const aborted = new HttpClientError("aborted", "the request was aborted", { cause: error });
      throw failedCall(webhook, goCallError("POST", `${origin}${path}`, aborted), 400, {
        cause: error,
        wasAborted: true,
      });
    }
  }

  #targetOf(webhook: Webhook): Target {
    let target = this.#targets.get(webhook);
    if (target === undefined) {
      target = this.#open(webhook);
      this.#targets.set(webhook, target);
    }
    return target;
  }

  #open(webhook: Webhook): Target {
    const { address } = webhook;
    const place = placeOf(webhook, address);
    const identity = this.#options.credentials.for(place.hostPort);
    const { serviceAddresses } = this.#options;
    const { service } = address;
    const key = JSON.stringify([place.origin, address.caBundle, service === undefined]);
    const caller = this.#pool.caller(key, {
      config: configOf(place, address, identity),
      userAgent: "kube-apiserver-admission",
      ...(service === undefined
        ? {}
        : { dialAddresses: () => serviceAddresses(service.namespace, service.name, service.port) }),
    });
    return { caller, origin: place.origin, host: place.host, path: place.path };
  }

  [Symbol.dispose](): void {
    this.#pool[Symbol.dispose]();
  }
}

interface Target {
  readonly caller: HttpCaller;
  /** The origin as messages show it. */
  readonly origin: string;
  /** The value of the Host header. */
  readonly host: string;
  readonly path: string;
}

interface Place {
  readonly origin: string;
  readonly host: string;
  /** The host and port that credentials are looked up by. */
  readonly hostPort: string;
  readonly path: string;
}

function placeOf(webhook: Webhook, { url, service }: WebhookAddress): Place {
  if (service !== undefined) {
    const host = `${service.name}.${service.namespace}.svc:${service.port}`;
    return { origin: `https://${host}`, host, hostPort: host, path: servicePathOf(service.path) };
  }
  if (url === undefined || !URL.canParse(url)) {
    throw failedCall(webhook, "webhook configuration must have either service or URL", 400);
  }
  const parsed = new URL(url);
  // As it is written: URL drops the port that is usual.
  const host = /^[a-z]+:\/\/([^/?#]*)/i.exec(url)?.[1] ?? parsed.host;
  const hostPort = /:\d+$/.test(host) ? host : `${host}:443`;
  return { origin: `${parsed.protocol}//${host}`, host, hostPort, path: webhookPathOf(url) };
}

function configOf({ origin }: Place, { service, caBundle }: WebhookAddress, identity: ClientIdentity) {
  return {
    ...identity,
    server: new URL(origin),
    insecureSkipTlsVerify: false,
    ...(service === undefined ? {} : { tlsServerName: `${service.name}.${service.namespace}.svc` }),
    ...(caBundle === "" ? {} : { certificateAuthorityPem: caBundle }),
  };
}

function successOf(webhook: Webhook, { status, headers, body }: HttpResponse): Buffer {
  const contentType = String(headers["content-type"] ?? "");
  const problem = answerProblem(status, contentType, body);
  if (problem !== undefined) {
    throw failedCall(webhook, problem.message, problem.code);
  }
  if (body.length === 0) {
    throw failedCall(webhook, emptyBodyProblem(status, contentType), 400);
  }
  return body;
}

/** Returns the failure of a call that ended before there was anything that could be an answer. */
export function failedCall(
  webhook: Webhook,
  problem: string,
  code: number,
  options: ErrorOptions & { readonly wasAborted?: boolean } = {},
): WebhookFailedError {
  return new WebhookFailedError(webhook.name, `failed to call webhook: ${problem}`, code, options);
}
