import type { TokenUser } from "@gatehouse/component-base/identity-tokens";
import type { TokenSource, TokenVerdict } from "./token-verdict.js";
import { VerdictCache, type VerdictCacheOptions } from "./verdict-cache.js";

/** Options of `TokenReviewer`. */
export interface TokenReviewerOptions extends VerdictCacheOptions {
  /** Audiences of reviews that name none. */
  readonly audiences: readonly string[];
  /** Sources of verdicts, asked in this order until one knows the token. */
  readonly sources: readonly TokenSource[];
}

/** The verdict on a token for one caller. */
export type TokenReviewVerdict =
  | { readonly authenticated: true; readonly user: TokenUser; readonly audiences: readonly string[] }
  /**
   * No error: no source knows the token, another authenticator may. `failed`: the token may be good, but no source
   * could tell.
   */
  | { readonly authenticated: false; readonly error?: string; readonly failed?: true };

/** Largest length of a token in characters; longer ones are refused before they are hashed. */
const maxTokenLength = 64 * 1024;
/** Largest length of an error: it may quote the token, and goes to the log of the API server. */
const maxErrorLength = 1000;

/** Reviews tokens by asking its sources, with a cache of their verdicts. */
export class TokenReviewer {
  readonly #options: TokenReviewerOptions;
  readonly #cache: VerdictCache;

  constructor(options: TokenReviewerOptions) {
    this.#options = options;
    this.#cache = new VerdictCache(options);
  }

  /**
   * Reviews a token for the audiences `wanted`; an empty list stands for those of the configuration. Rejects when a
   * retry may help.
   */
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
    // A token for a client of the API server is valid for the API server, as with its own OpenID Connect flags.
    const shared = asked.filter((audience) => own.includes(audience) || audiences.includes(audience));
    return shared.length === 0
      ? { authenticated: false, error: "the token is for none of the audiences that are asked for" }
      : { authenticated: true, user, audiences: [...new Set(shared)] };
  }
}

function inShort(text: string): string {
  return text.length <= maxErrorLength ? text : `${text.slice(0, maxErrorLength)}...`;
}
