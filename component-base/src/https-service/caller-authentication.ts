import type { IncomingMessage } from "node:http";

/** Result of authenticating a caller: its name, or the reason why it is not accepted. */
export type CallerVerdict =
  | { readonly outcome: "accepted"; readonly name: string }
  /** `reason` is for the log and the caller, and holds nothing of a credential. */
  | { readonly outcome: "rejected"; readonly reason: string }
  /** The caller shows no credential of this kind. */
  | { readonly outcome: "noOpinion" };

/** Tells who calls. Asked for each review before anything of its body is read; may throw, which refuses the call. */
export interface CallerAuthenticator {
  authenticate(request: IncomingMessage): CallerVerdict | Promise<CallerVerdict>;
}

const noOpinion: CallerVerdict = Object.freeze({ outcome: "noOpinion" });

/** Believes whoever one of the authenticators believes; they are asked in order, until one has an opinion. */
export function anyAuthenticator(authenticators: readonly CallerAuthenticator[]): CallerAuthenticator {
  if (authenticators.length === 1) {
    return authenticators[0] as CallerAuthenticator;
  }
  return {
    async authenticate(request) {
      let rejected: CallerVerdict | undefined;
      for (const authenticator of authenticators) {
        const verdict = await authenticator.authenticate(request);
        if (verdict.outcome === "accepted") {
          return verdict;
        }
        if (verdict.outcome === "rejected") {
          rejected ??= verdict;
        }
      }
      return rejected ?? noOpinion;
    },
  };
}

/** Believes everybody. For tests, and for servers that only trusted callers can reach. */
export const anyCaller: CallerAuthenticator = Object.freeze({
  authenticate: () => ({ outcome: "accepted" as const, name: "anyone" }),
});
