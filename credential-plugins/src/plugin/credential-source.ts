import type { ExecCluster } from "@gatehouse/component-base";
import type { Credential } from "./credential.js";

/** Where a plugin gets credentials of one login from: what its flags have said, made ready to ask. */
export interface CredentialSource {
  /** Whatever tells this login from others of the same plugin: issuer, client, user. Values that JSON can carry. */
  readonly cacheKey: readonly unknown[];
  /** Longest time that `obtain` may take, people included. Milliseconds; default one minute. */
  readonly timeoutMs?: number;
  /**
   * Asks for a new credential. Called when there is none in the cache that holds long enough, and in one process at a time
   * for one login. Rejects with CredentialError when there is none to be had.
   */
  obtain(request: CredentialRequest): Promise<ObtainedCredential>;
  /** How long before its end a credential of this lifetime is renewed. Default: a quarter of it, a minute at most. */
  refreshAheadMs?(lifetimeMs: number): number;
  /** Tells whoever has issued the credential that it is not needed any more; called before the cache forgets it. */
  revoke?(previous: PreviousCredential, signal: AbortSignal): Promise<void>;
}

/** What is known of the login from before. */
export interface PreviousCredential {
  /** Absent when there is none, or when it no longer holds. */
  readonly credential?: Credential;
  /** What the source has kept: JSON of its own, to be checked like any other input. */
  readonly kept?: unknown;
}

/** What a source is told when it is asked for a credential. */
export interface CredentialRequest {
  readonly previous: PreviousCredential;
  /** Whether it may read what is typed. */
  readonly interactive: boolean;
  /** Whether a person is likely to read what `prompt` writes. */
  readonly personPresent: boolean;
  /** The cluster for which the client asks, if it tells. */
  readonly cluster?: ExecCluster;
  /** Writes a line to standard error. */
  prompt(line: string): void;
  /** Keeps something for the next time at once, should this attempt fail. */
  keep(kept: unknown): Promise<void>;
  /** Aborts when the time is over. */
  readonly signal: AbortSignal;
}

/** A new credential, and what the source needs to renew it. */
export interface ObtainedCredential {
  readonly credential: Credential;
  readonly kept?: unknown;
}
