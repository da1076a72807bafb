import type { ExecCluster } from "@gatehouse/component-base/kubeconfig";
import type { Credential } from "./credential.js";

/** The source of the credentials of one login, configured by the plugin's flags. */
export interface CredentialSource {
  /** Values that tell this login from others of the plugin: issuer, client, user. JSON must be able to carry them. */
  readonly cacheKey: readonly unknown[];
  /** Longest time that `obtain` may take, people included. Milliseconds; default one minute. */
  readonly timeoutMs?: number;
  /**
   * Asks for a new credential. Called when there is none in the cache that holds long enough, and in one process at a time
   * for one login. Rejects with CredentialError when there is none to be had.
   */
  obtain(request: CredentialRequest): Promise<ObtainedCredential>;
  /**
   * Returns the time in milliseconds before its end at which a credential of this lifetime is renewed. Default: a
   * quarter of the lifetime, a minute at most.
   */
  refreshAheadMs?(lifetimeMs: number): number;
  /** Tells whoever has issued the credential that it is not needed any more; called before the cache forgets it. */
  revoke?(previous: PreviousCredential, signal: AbortSignal): Promise<void>;
}

/** The previous state of the login. */
export interface PreviousCredential {
  /** Absent when there is none, or when it no longer holds. */
  readonly credential?: Credential;
  /** State that the source has kept: JSON of its own, to be checked like any other input. */
  readonly kept?: unknown;
}

/** Context of a request for a credential. */
export interface CredentialRequest {
  readonly previous: PreviousCredential;
  /** True if the source may read standard input. */
  readonly interactive: boolean;
  /** True if a person is likely to read what `prompt` writes. */
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
