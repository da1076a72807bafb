import type { JWK } from "jose";
import { getJsonFromIssuer, IssuerError } from "./fetch-json.js";

/** The keys that an issuer has said to sign with. */
export interface KnownKeys {
  readonly keys: readonly JWK[];
  /** Time at which the issuer last confirmed the keys, in milliseconds since 1970. */
  readonly fetchedAtMs: number;
}

/** Storage in which the last good keys outlive this process. */
export interface KeyShelf {
  read(): Promise<KnownKeys | undefined>;
  write(known: KnownKeys): Promise<void>;
}

/** The issuer whose keys are kept, and the limits and callbacks for fetching them. */
export interface IssuerKeysOptions {
  readonly issuerUrl: string;
  readonly certificateAuthorityPem: string | undefined;
  readonly shelf: KeyShelf | undefined;
  /** Maximum age in milliseconds of keys that the issuer has not confirmed since. */
  readonly maxAgeMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends all work. */
  readonly signal: AbortSignal;
  /**
   * Called when the issuer stops answering correctly, and when it recovers (undefined); once for repeated equal
   * failures.
   */
  readonly onTrouble: (problem: Error | undefined) => void;
  readonly timing?: Partial<KeyTiming>;
}

/** Intervals between fetches, in milliseconds. */
export interface KeyTiming {
  /** Keys are fetched anew so often, so that those that were withdrawn are forgotten. */
  readonly refreshMs: number;
  /** Time after a fetch that an unknown key caused, during which unknown keys cause no other one. */
  readonly cooldownMs: number;
  /** Time to wait after a failure. */
  readonly retryMs: number;
  /** Maximum number of attempts at a fetch that a caller waits for. */
  readonly attempts: number;
}

const usualTiming: KeyTiming = { refreshMs: 300_000, cooldownMs: 10_000, retryMs: 10_000, attempts: 3 };

/**
 * The keys of an issuer: fetched at once and from time to time, kept while it does not answer, and on disk for the next
 * start. A token with a key that is not known, or that comes before there are any, leads to one fetch at most, which all such
 * tokens wait for; then to none for a while, whatever comes. A refresh that is under way when the token comes is waited for
 * first, and may fail or be older than the key: it takes no other fetch's place.
 */
export class IssuerKeys implements Disposable {
  readonly #options: IssuerKeysOptions;
  readonly #timing: KeyTiming;
  #known: KnownKeys | undefined;
  #keySetUrl: string | undefined;
  #fetching: Promise<void> | undefined;
  #hasTried = false;
  /** Time at which the last fetch that an unknown key caused ended, successfully or not. */
  #lookedMs = Number.NEGATIVE_INFINITY;
  #problem: Error | undefined = new IssuerError("the issuer has not answered yet");
  #timer: NodeJS.Timeout | undefined;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
    this.#timing = { ...usualTiming, ...options.timing };
    options.signal.addEventListener("abort", () => this[Symbol.dispose](), { once: true });
  }

  /** Takes the keys from disk, if they are young enough, and begins to ask the issuer. Does not wait for it. */
  async start(): Promise<void> {
    const { shelf } = this.#options;
    this.#known = await shelf?.read().catch(() => undefined);
    this.#refresh();
  }

  /** The keys that count now; undefined before there are any, or when they have not been confirmed for too long. */
  get keys(): readonly JWK[] | undefined {
    const { maxAgeMs, now } = this.#options;
    return this.#known !== undefined && now() - this.#known.fetchedAtMs <= maxAgeMs ? this.#known.keys : undefined;
  }

  /** Reason why the issuer cannot be asked now; undefined while it can. */
  get problem(): Error | undefined {
    return this.#problem;
  }

  /** Resolves when there are keys that count, or none are to be had for now. Never rejects. */
  async untilKnown(): Promise<void> {
    for (const wait of [() => this.settled(), () => this.lookAgain()]) {
      if (this.keys !== undefined) {
        return;
      }
      await wait();
    }
  }

  /** Resolves when the fetch that is under way has ended; at once where none is. Never rejects. */
  async settled(): Promise<void> {
    await this.#fetching;
  }

  /**
   * Fetches the keys because one is wanted that is not there. Resolves when there are newer ones, or there is nothing more
   * to be had for now. Never rejects.
   */
  async lookAgain(): Promise<void> {
    if (this.#fetching === undefined && performance.now() - this.#lookedMs < this.#timing.cooldownMs) {
      return;
    }
    await this.#fetch(this.#timing.attempts);
    this.#lookedMs = performance.now();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #refresh(): void {
    void this.#fetch(1).then(() => {
      if (!this.#options.signal.aborted) {
        const ms = this.#problem === undefined ? this.#timing.refreshMs : this.#timing.retryMs;
        this.#timer = setTimeout(() => this.#refresh(), ms);
        this.#timer.unref();
      }
    });
  }

  /** One at a time: who comes meanwhile waits for the one under way. */
  #fetch(attempts: number): Promise<void> {
    this.#fetching ??= this.#tryToFetch(attempts).finally(() => {
      this.#fetching = undefined;
      this.#hasTried = true;
    });
    return this.#fetching;
  }

  async #tryToFetch(attempts: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#fetchOnce();
        this.#tell(undefined);
        return;
      } catch (error) {
        if (this.#options.signal.aborted) {
          return;
        }
        if (attempt >= attempts) {
          this.#tell(error instanceof Error ? error : new Error(String(error)));
          return;
        }
      }
    }
  }

  async #fetchOnce(): Promise<void> {
    const { certificateAuthorityPem, shelf, now, signal } = this.#options;
    this.#keySetUrl ??= await this.#discover();
    const call = { url: this.#keySetUrl, certificateAuthorityPem, signal };
    const { keys } = await getJsonFromIssuer(call, "oidc: get keys").catch((error: unknown) => {
      // They may have moved.
      this.#keySetUrl = undefined;
      throw error;
    });
    if (!Array.isArray(keys)) {
      throw new IssuerError("oidc: failed to decode keys: there are none");
    }
    this.#known = { keys: keys as readonly JWK[], fetchedAtMs: now() };
    // A disk that is full is no reason to refuse tokens.
    await shelf?.write(this.#known).catch(() => {});
  }

  /** Returns the URL of the keys (OpenID Connect Discovery 1.0, section 4). */
  async #discover(): Promise<string> {
    const { issuerUrl, certificateAuthorityPem, signal } = this.#options;
    const url = `${issuerUrl.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const { issuer, jwks_uri: keySetUrl } = await getJsonFromIssuer(
      { url, certificateAuthorityPem, signal },
      "oidc: discovery",
    );
    if (issuer !== issuerUrl) {
      throw new IssuerError(
        `oidc: issuer did not match the issuer returned by provider, expected ${JSON.stringify(issuerUrl)} got ${JSON.stringify(issuer ?? "")}`,
      );
    }
    if (typeof keySetUrl !== "string") {
      throw new IssuerError("oidc: discovery failed: there is no jwks_uri");
    }
    return keySetUrl;
  }

  #tell(problem: Error | undefined): void {
    const isNews = problem?.message !== this.#problem?.message || !this.#hasTried;
    this.#problem = problem;
    if (isNews) {
      this.#options.onTrouble(problem);
    }
  }
}
