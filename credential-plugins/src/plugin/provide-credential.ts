import type { ExecCluster } from "@gatehouse/component-base/kubeconfig";
import type { CachedCredential } from "../cache/cached-credential.js";
import type { CredentialCache } from "../cache/credential-cache.js";
import { assertUsable, type Credential } from "./credential.js";
import { CredentialError } from "./credential-error.js";
import type { CredentialSource, PreviousCredential } from "./credential-source.js";

/** The client that requests a credential, and how to talk to its user. */
export interface CredentialAsker {
  readonly interactive: boolean;
  readonly personPresent: boolean;
  readonly cluster?: ExecCluster;
  prompt(line: string): void;
  /** Milliseconds since 1970. */
  now(): number;
}

const defaultTimeoutMs = 60_000;
/**
 * Time in milliseconds for which a valid credential is used after a failed attempt to renew it, before the next
 * attempt.
 */
const retryAfterMs = 30_000;
/** Time in milliseconds, beyond the limit of an attempt, that other processes wait for its outcome. */
const waitBeyondMs = 5_000;

/**
 * The credential that a client is answered with: from the cache while it holds, and otherwise new from the source, asked by
 * one process at a time. Those that wait meanwhile take what that one has got, be it a failure. A credential that could not
 * be renewed ahead of time is used until its end. `expiresAt` of what is returned is when the client should ask again.
 */
export async function provideCredential(
  source: CredentialSource,
  cache: CredentialCache,
  asker: CredentialAsker,
): Promise<Credential> {
  const arrivedAt = asker.now();
  const cached = answerFrom(await cache.read(), source, arrivedAt);
  if (cached !== undefined) {
    return cached;
  }
  const timeoutMs = source.timeoutMs ?? defaultTimeoutMs;
  await using _ = await lockWithin(timeoutMs + waitBeyondMs, cache, asker);
  const entry = await cache.read();
  const renewed = answerFrom(entry, source, asker.now());
  if (renewed !== undefined) {
    return renewed;
  }
  if (entry?.failure !== undefined && entry.failure.at >= arrivedAt) {
    throw new CredentialError(entry.failure.message);
  }
  return await renew(source, cache, asker, entry);
}

/** Returns the credential of the entry, if there is no need to ask the source. */
function answerFrom(
  entry: CachedCredential | undefined,
  source: CredentialSource,
  now: number,
): Credential | undefined {
  const { credential } = entry ?? {};
  if (entry === undefined || credential === undefined) {
    return undefined;
  }
  const renewAt = renewalTime(credential, entry.obtainedAt, source);
  if (now < renewAt) {
    return renewAt === Number.POSITIVE_INFINITY ? credential : { ...credential, expiresAt: renewAt };
  }
  const { failure } = entry;
  const rests = failure !== undefined && now >= failure.at && now < failure.at + retryAfterMs;
  return rests && holdsAt(credential, now) ? untilNextAttempt(credential, failure.at) : undefined;
}

async function renew(
  source: CredentialSource,
  cache: CredentialCache,
  asker: CredentialAsker,
  entry: CachedCredential | undefined,
): Promise<Credential> {
  const previous = previousOf(entry, asker.now());
  let current: CachedCredential = { obtainedAt: asker.now(), ...entry };
  const timeoutMs = source.timeoutMs ?? defaultTimeoutMs;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const obtained = await source.obtain({
      previous,
      interactive: asker.interactive,
      personPresent: asker.personPresent,
      ...(asker.cluster === undefined ? {} : { cluster: asker.cluster }),
      prompt: asker.prompt,
      signal,
      async keep(kept) {
        current = { ...current, kept };
        await cache.write(current);
      },
    });
    const { credential } = obtained;
    assertUsable(credential);
    if (!holdsAt(credential, asker.now())) {
      throw new CredentialError("the new credential has expired already; is the clock of this machine right?");
    }
    const renewed: CachedCredential = { credential, obtainedAt: asker.now(), kept: obtained.kept };
    await cache.write(renewed);
    return answerFrom(renewed, source, asker.now()) ?? credential;
  } catch (error) {
    const told = error instanceof CredentialError || !signal.aborted ? error : lateError(timeoutMs);
    if (!(told instanceof CredentialError)) {
      throw told;
    }
    const failure = { at: asker.now(), message: told.message };
    await cache.write({ ...current, failure });
    const { credential } = previous;
    if (credential === undefined || !holdsAt(credential, failure.at)) {
      throw told;
    }
    return untilNextAttempt(credential, failure.at);
  }
}

function lateError(timeoutMs: number): CredentialError {
  return new CredentialError(`there was no credential within ${timeoutMs / 1000} s`);
}

function previousOf(entry: CachedCredential | undefined, now: number): PreviousCredential {
  const { credential, kept } = entry ?? {};
  return {
    ...(credential !== undefined && holdsAt(credential, now) ? { credential } : {}),
    ...(kept === undefined ? {} : { kept }),
  };
}

function holdsAt({ expiresAt = Number.POSITIVE_INFINITY }: Credential, now: number): boolean {
  return now < expiresAt;
}

function renewalTime({ expiresAt }: Credential, obtainedAt: number, source: CredentialSource): number {
  if (expiresAt === undefined) {
    return Number.POSITIVE_INFINITY;
  }
  const lifetimeMs = Math.max(0, expiresAt - obtainedAt);
  return expiresAt - (source.refreshAheadMs?.(lifetimeMs) ?? Math.min(60_000, lifetimeMs / 4));
}

function untilNextAttempt(credential: Credential, failedAt: number): Credential {
  const { expiresAt = Number.POSITIVE_INFINITY } = credential;
  return { ...credential, expiresAt: Math.min(expiresAt, failedAt + retryAfterMs) };
}

async function lockWithin(waitMs: number, cache: CredentialCache, asker: CredentialAsker): Promise<AsyncDisposable> {
  const signal = AbortSignal.timeout(waitMs);
  try {
    const onWait = (): void => {
      if (asker.personPresent) {
        asker.prompt("Another process asks for the same credential; waiting for it.");
      }
    };
    return await cache.lock({ signal, onWait });
  } catch (error) {
    if (signal.aborted) {
      throw new CredentialError("another process has asked for the same credential, and did not finish in time");
    }
    throw error;
  }
}
