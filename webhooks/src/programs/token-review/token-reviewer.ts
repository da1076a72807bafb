import type { TokenUser } from "@gatehouse/component-base/identity-tokens";
import type { TokenSource, TokenVerdict } from "./token-verdict.js";
import { VerdictCache, type VerdictCacheOptions } from "./verdict-cache.js";

/** Whom to believe. */
export interface TokenReviewerOptions extends VerdictCacheOptions {
  /** Audiences of whoever asks without naming any. */
  readonly audiences: readonly string[];
  /** Asked in their order, until one knows the token. */
  readonly sources: readonly TokenSource[];
}

/** Whether a token is good for whoever asks. */
export type TokenReviewVerdict =
  | { readonly authenticated: true; readonly user: TokenUser; readonly audiences: readonly string[] }
  /** Without an error for a token of nobody who is known here: others may know it. `failed`: it may be good. */
  | { readonly authenticated: false; readonly error?: string; readonly failed?: true };

/** No token is that long; it is not even hashed. */
const maxTokenLength = 64 * 1024;
/** What is said of a token may quote it, and goes to the log of the API server. */
const maxErrorLength = 1000;

/** Says whose tokens are. */
export class TokenReviewer {
  readonly #options: TokenReviewerOptions;
  readonly #cache: VerdictCache;

  constructor(options: TokenReviewerOptions) {
    this.#options = options;
    this.#cache = new VerdictCache(options);
  }

  /** `wanted` are the audiences of whoever asks; with none, those of the configuration. Rejects when to ask again may help. */
  async review(token: string, wanted: readonly string[]): Promise<TokenReviewVerdict> {
    if (token.length > maxTokenLength) {
      return { authenticated: false, error: `the token has more than ${maxTokenLength} characters` };
    }
    const verdict = await this.#cache.verdict(token, (text) => this.#verify(text));
    switch (verdict.outcome) {
      case "unknown":
        return { authenticated: false };
      case "refused":
        return { authenticated: false, error: inShort(verdict.reason) };
      case "unavailable":
        return { authenticated: false, error: verdict.reason, failed: true };
      case "valid":
        return this.#forAudiences(verdict, wanted);
    }
  }

  async #verify(token: string): Promise<TokenVerdict> {
    for (const source of this.#options.sources) {
      const verdict = await source.verify(token);
      if (verdict !== undefined) {
        return verdict;
      }
    }
    return { outcome: "unknown" };
  }

  #forAudiences(
    { user, audiences }: Extract<TokenVerdict, { readonly outcome: "valid" }>,
    wanted: readonly string[],
  ): TokenReviewVerdict {
    const { audiences: own } = this.#options;
    const asked = wanted.length === 0 ? own : wanted;
    // What is for a client of the API server is for the API server, as with its own OpenID Connect flags.
    const shared = asked.filter((audience) => own.includes(audience) || audiences.includes(audience));
    return shared.length === 0
      ? { authenticated: false, error: "the token is for none of the audiences that are asked for" }
      : { authenticated: true, user, audiences: [...new Set(shared)] };
  }
}

function inShort(text: string): string {
  return text.length <= maxErrorLength ? text : `${text.slice(0, maxErrorLength)}...`;
}
