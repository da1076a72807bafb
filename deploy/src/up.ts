import { resolve } from "node:path";
import { type ProcessLike, runUntilSignal } from "@gatehouse/component-base";
import { createDataDir, type DataDir, lockDataDir, type Unlock, unusable } from "./data-dir.js";
import { claimPort } from "./free-port.js";
import { greeting } from "./greeting.js";
import { ensureKubeconfig, ensureLocalPki, type LocalPki } from "./local-pki.js";
import { writeAdmissionConfiguration } from "./parts/admission-configuration.js";
import { admissionServer } from "./parts/admission-server.js";
import { apiServer } from "./parts/api-server.js";
import { auditSink, writeAuditConfiguration } from "./parts/audit-sink.js";
import { authorizationServer, writeAuthorizationConfiguration } from "./parts/authorization-server.js";
import { bindAdministrators } from "./parts/bind-administrators.js";
import { identityProvider, oidcFlags, writeOidcKubeconfig } from "./parts/identity-provider.js";
import { imageReviewServer } from "./parts/image-review-server.js";
import { registerHooks } from "./parts/register-hooks.js";
import type { StackContext } from "./parts/stack-context.js";
import type { StackParts } from "./parts/stack-parts.js";
import { tokenReviewServer, writeTokenReviewConfiguration } from "./parts/token-review-server.js";
import { type Stack, startStack } from "./stack.js";
import { StartError, systemErrorCode } from "./start-error.js";
import type { Backoff } from "./supervisor.js";

/** A part that the API server can do without. */
export type OptionalPart = "admission" | "image-review" | "audit-sink";

/** A part that is started only when it is asked for. */
export type AdditionalPart = "authorization" | "token-review";

/** Where the local stack lives, and what of its surroundings `up` may touch. */
export interface UpOptions {
  readonly dataDir: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly process: ProcessLike & { readonly pid: number };
  /** Environment of the processes that are started. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the command was given. */
  readonly elapsedMs: () => number;
  /** Shows a line to the person at the keyboard. */
  readonly print: (line: string) => void;
  /** Shows what went wrong. */
  readonly printError: (line: string) => void;
  /** Optional parts that are not to be started. */
  readonly without: readonly OptionalPart[];
  /** Additional parts to start. The token review server brings the identity provider with it. */
  readonly with?: readonly AdditionalPart[];
  /** Starts an identity provider to log in at, too. */
  readonly withOidc?: boolean;
  /** Runs in the place of gatehouse-apiserver. */
  readonly serverScript?: string | undefined;
  /** Default `defaultBackoff`. */
  readonly backoff?: Backoff;
  /** Default one minute. */
  readonly readyTimeoutMs?: number;
}

/** Time for everything to end after Ctrl-C, in milliseconds. */
const stopDeadlineMs = 20_000;

const defaultReadyTimeoutMs = 60_000;

/**
 * Starts a local stack and keeps it running until a signal comes. Ends by calling `exit`: with 0 after a signal, with 1
 * and one clear sentence when the stack cannot be started or kept up.
 */
export async function up(options: UpOptions): Promise<void> {
  const stop = new AbortController();
  let failed = false;
  const fail = (message: string): void => {
    failed = true;
    options.printError(message);
    stop.abort();
  };
  const starting = startUp(options, fail);
  const finished = runUntilSignal({
    process: {
      on: (signal, listener) => options.process.on(signal, listener),
      off: (signal, listener) => options.process.off(signal, listener),
      exit: (code) => options.process.exit(failed ? 1 : code),
      endAtOnce: () => options.process.endAtOnce(),
      endAfter: (ms) => options.process.endAfter(ms),
    },
    tasks: [{ name: "stack", drain: starting.stop }],
    deadlineMs: stopDeadlineMs,
    stop: stop.signal,
  });
  await starting.done;
  await finished;
}

interface Starting {
  /** Resolves when the stack runs or has failed; what goes wrong is told by `fail`. */
  readonly done: Promise<void>;
  stop(signal: AbortSignal): Promise<void>;
}

function startUp(options: UpOptions, fail: (message: string) => void): Starting {
  const stopping = new AbortController();
  let unlock: Unlock | undefined;
  let stack: Stack | undefined;

  async function startAll(): Promise<void> {
    const dataDir = createDataDir(resolve(options.dataDir));
    unlock = await lockDataDir(dataDir, options.process.pid);
    const port = await claimPort(options.port);
    const pki = await preparePki(dataDir, port);
    const context = { dataDir, pki };
    const parts = await prepareParts(context, port, options);
    stopping.signal.throwIfAborted();
    stack = startStack(
      Object.values(parts).filter((part) => part !== undefined),
      {
        pki,
        env: options.env,
        readyTimeoutMs: options.readyTimeoutMs ?? defaultReadyTimeoutMs,
        signal: stopping.signal,
        backoff: options.backoff,
        print: options.print,
        fail,
      },
    );
    await stack.ready;
    await bindAdministrators(context, parts.apiServer, stopping.signal);
    await registerHooks(context, parts, stopping.signal);
    options.print(greeting({ dataDir, parts, elapsedMs: options.elapsedMs() }));
  }

  const done = startAll().catch((error: unknown) => {
    if (!stopping.signal.aborted) {
      fail(describe(error));
    }
  });
  return {
    done,
    async stop(signal) {
      stopping.abort();
      await done;
      await stack?.stop(signal);
      await unlock?.();
    },
  };
}

async function prepareParts(context: StackContext, port: number, options: UpOptions): Promise<StackParts> {
  const { without, with: additional = [], serverScript } = options;
  const withTokenReview = additional.includes("token-review");
  try {
    const [admission, imageReview, authorization, sink, provider] = await Promise.all([
      without.includes("admission") ? undefined : admissionServer(context),
      without.includes("image-review") ? undefined : imageReviewServer(context),
      additional.includes("authorization") ? authorizationServer(context) : undefined,
      without.includes("audit-sink") ? undefined : auditSink(context),
      options.withOidc === true || withTokenReview ? identityProvider(context) : undefined,
    ]);
    const tokenReview = provider && withTokenReview ? await tokenReviewServer(context, provider) : undefined;
    if (provider !== undefined) {
      await writeOidcKubeconfig(context, provider, port);
    }
    const moreFlags = await Promise.all([
      admission === undefined && imageReview === undefined ? [] : writeAdmissionConfiguration(context, imageReview),
      sink === undefined ? [] : writeAuditConfiguration(context, sink),
      authorization === undefined
        ? ["--authorization-mode=Node,RBAC"]
        : writeAuthorizationConfiguration(context, authorization),
      tokenReview === undefined ? [] : writeTokenReviewConfiguration(context, tokenReview),
      provider === undefined || tokenReview !== undefined ? [] : oidcFlags(context, provider),
    ]);
    const script = serverScript === undefined ? undefined : resolve(serverScript);
    return {
      apiServer: await apiServer(context, { port, script, moreFlags: moreFlags.flat(), identityProvider: provider }),
      admission,
      imageReview,
      authorization,
      tokenReview,
      auditSink: sink,
      identityProvider: provider,
    };
  } catch (error) {
    throw systemErrorCode(error) === undefined ? error : unusable(context.dataDir.path, error);
  }
}

async function preparePki(dataDir: DataDir, port: number): Promise<LocalPki> {
  try {
    const pki = await ensureLocalPki(dataDir);
    await ensureKubeconfig(dataDir, pki, port);
    return pki;
  } catch (error) {
    throw systemErrorCode(error) === undefined ? error : unusable(dataDir.path, error);
  }
}

function describe(error: unknown): string {
  if (error instanceof StartError) {
    return error.message;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
