import type { Logger } from "@gatehouse/component-base/logs";
import type { RequestContext } from "../request/request-context.js";
import type { EncryptionObserver } from "../storage/encryption/index.js";
import type { StoreObserver } from "../storage/store-condition.js";

/** Milliseconds after which a request is logged as slow. */
const slowRequestMs = 1000;

const healthPath = /^\/(?:livez|readyz|healthz)(?:\/|$)/;
/** Milliseconds between two lines about a lasting problem. */
const repetitionMs = 10_000;

/**
 * The log of the server: every line it writes, in one place. Expected refusals (4xx) are info, faults of the server are
 * errors. No method takes an object, a patch, a token or a key.
 */
export class ServerLog implements StoreObserver, EncryptionObserver {
  readonly #logger: Logger;
  readonly #toldAt = new Map<string, number>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  listening(host: string, port: number, startedInMs: number): void {
    this.#logger.info("serving", { host, port, startedInMs: Math.round(startedInMs) });
  }

  stopping(signal: string): void {
    this.#logger.info("stopping", { signal });
  }

  certificatesMade(directory: string): void {
    this.#logger.info("no certificate was given; made a self-signed one", { directory });
  }

  request(context: RequestContext, code: number, durationMs: number): void {
    const failed = code >= 500;
    const { info, path } = context;
    // Whoever asks again and again whether the server is ready has been told; so has this log, by the checks that failed.
    const isTold = failed ? !healthPath.test(path) : durationMs >= slowRequestMs;
    if (!isTold && !this.#logger.enabled("debug")) {
      return;
    }
    const fields = {
      auditID: context.auditID,
      user: context.user?.username,
      verb: info.verb,
      resource: info.resource,
      subresource: info.subresource === "" ? undefined : info.subresource,
      namespace: info.namespace,
      name: info.name,
      code,
      durationMs: Math.round(durationMs),
    };
    if (!isTold) {
      this.#logger.debug("request", { ...fields, path });
    } else if (failed) {
      this.#logger.error("request failed", fields);
    } else {
      this.#logger.info("slow request", fields);
    }
  }

  /** Logs a refused credential. `reasons` name the fault of each credential, and hold nothing of it. */
  authenticationFailed(context: RequestContext, reasons: readonly string[]): void {
    this.#logger.info("a credential was refused", { auditID: context.auditID, reasons: reasons.join("; ") });
  }

  /** Logs that an issuer of identity tokens does not answer as it should or, without a problem, does again. */
  issuerTrouble(issuer: string, problem: Error | undefined): void {
    if (problem === undefined) {
      this.#logger.info("the keys of an issuer of identity tokens are there", { issuer });
    } else {
      this.#logger.error("the keys of an issuer of identity tokens cannot be fetched; it is asked again", {
        issuer,
        problem: problem.message,
      });
    }
  }

  requestFailed(context: RequestContext, error: unknown): void {
    this.#logger.error("request threw", { auditID: context.auditID, path: context.path, error: asError(error) });
  }

  etcdApiServed(urls: readonly string[]): void {
    this.#logger.info("serving the store by the API of etcd", { urls: urls.join(",") });
  }

  fault(error: unknown): void {
    this.#logger.error("an unexpected error", { error: asError(error) });
  }

  auditing(backend: string): void {
    this.#logger.info("recording audit events", { backend });
  }

  auditPolicyReloaded(path: string): void {
    this.#logger.info("the audit policy has changed; it counts from now on", { path });
  }

  auditPolicyRefused(path: string, error: Error): void {
    this.#logger.error("the audit policy has changed and cannot be used; the one before counts", { path, error });
  }

  auditPolicyWarnings(path: string, warnings: readonly string[]): void {
    this.#logger.warn("the audit policy holds what is not understood", { path, warnings: warnings.join("; ") });
  }

  auditEventsLost(plugin: string, count: number, reason: string): void {
    this.#logger.error("audit events were not recorded", { plugin, count, reason });
  }

  /** Logs a failed health check, once in ten seconds for each check. */
  healthCheckFailed(check: string, error: unknown): void {
    const message = "health check failed";
    this.#warnSometimes(message, { check, reason: asError(error).message }, `${message}: ${check}`);
  }

  /** Logs a failure of the spool, once in ten seconds: a full disk concerns every batch. */
  auditSpoolFailed(reason: string): void {
    this.#warnSometimes("the audit spool cannot be worked with; it is tried again, and nothing is lost", { reason });
  }

  auditDeliveryFailed(reason: string, tries: number): void {
    this.#logger.warn("audit events could not be delivered; they are kept and sent again", { reason, tries });
  }

  auditDeliveryRecovered(): void {
    this.#logger.info("audit events are delivered again");
  }

  controllerFailed(controller: string, error: unknown): void {
    this.#logger.error("controller failed; it will try again", { controller, error: asError(error) });
  }

  /** Logs the repair of an address or port of services. */
  rangeNotice(notice: { readonly problem: string; readonly value: string }): void {
    this.#logger.info("repaired what services hold", { ...notice });
  }

  rangeRepairFailed(error: unknown): void {
    this.#logger.error("the addresses and ports of services could not be checked", { error: asError(error) });
  }

  storeDamaged(error: Error): void {
    this.#logger.error("stored data is damaged; what is whole is still served (see gatehouse-apiserver check)", {
      error,
    });
  }

  storeUnwritable(error: Error): void {
    this.#logger.error("the store cannot write; reads go on, and it tries again by itself", { error });
  }

  storeWritable(): void {
    this.#logger.info("the store can write again");
  }

  storeLost(error: Error): void {
    this.#logger.error("the store's file cannot be read; it tries again by itself", { error });
  }

  storeRecovered(): void {
    this.#logger.info("the store's file can be read again");
  }

  encryptionWarning(warning: string): void {
    this.#logger.warn("the encryption configuration should be mended", { warning });
  }

  encryptionReloaded(path: string): void {
    this.#logger.info("the encryption configuration has changed; it counts from now on", { path });
  }

  encryptionRefused(path: string, error: Error): void {
    this.#logger.error("the encryption configuration has changed and cannot be used; the one before counts", {
      path,
      error,
    });
  }

  kmsUnhealthy(provider: string, error: Error): void {
    this.#logger.error("a key management service is not healthy; it is asked again", {
      provider,
      error: error.message,
    });
  }

  expiryFailed(error: unknown): void {
    this.#logger.error("objects whose time is over could not be deleted; it tries again by itself", {
      error: asError(error),
    });
  }

  /** Logs a failure to follow objects of the API server in front, once in ten seconds for each resource. */
  frontUnreachable(path: string, error: unknown): void {
    const message =
      "cannot follow objects of the API server in front; the last known ones count, and it is tried again";
    this.#warnSometimes(message, { path, reason: asError(error).message }, `${message}: ${path}`);
  }

  /** Logs why the ConfigMap with the authorities of clients and front proxies cannot be used. */
  authenticationConfigRefused(reason: string): void {
    this.#warnSometimes("the authentication configuration of the API server in front cannot be used", { reason });
  }

  authenticationConfigTaken(): void {
    this.#logger.info("took the authentication configuration of the API server in front");
  }

  storeTrouble(error: unknown): void {
    this.#logger.error("the store's watch broke; reading anew", { error: asError(error) });
  }

  #warnSometimes(message: string, fields: Readonly<Record<string, string>>, what = message): void {
    const now = performance.now();
    if (now - (this.#toldAt.get(what) ?? Number.NEGATIVE_INFINITY) >= repetitionMs) {
      this.#toldAt.set(what, now);
      this.#logger.warn(message, fields);
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error("a value that is not an Error was thrown");
}
