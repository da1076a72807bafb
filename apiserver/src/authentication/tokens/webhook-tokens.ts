import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { booleanAt, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { ReviewFailedError } from "../../errors/errors.js";
import type { UserInfo } from "../../request/user-info.js";
import { type MeasureReview, ReviewClient } from "../../review-webhooks/review-client.js";
import { decodeReview, encodeReview } from "../../review-webhooks/review-document.js";
import { type AuthenticationDecision, noOpinion, rejected } from "../authenticator.js";
import { intersection } from "./api-audience.js";
import type { TokenAuthenticator } from "./token-authenticator.js";

/** The webhook that authenticates tokens, and the version of its reviews. */
export interface WebhookTokensOptions {
  readonly client: ClientConfig;
  /** The version of `authentication.k8s.io`. */
  readonly version: "v1" | "v1beta1";
  /** The audiences of tokens for which the webhook names none. */
  readonly apiAudiences: readonly string[];
  /** The time limit in milliseconds, of a call and of all tries for a token together; 30 s by default. */
  readonly timeoutMs?: number;
  /** Measures the calls; nobody does when absent. */
  readonly measure?: MeasureReview;
  /** The signal that aborts calls when the server stops. */
  readonly signal: AbortSignal;
}

/** The delay before the second try of a review in milliseconds, as in v1.29. */
const retryBackoffMs = 500;
const defaultTimeoutMs = 30_000;

/** Asks a webhook whose tokens are (TokenReview). When it cannot say, they are refused with what is wrong. */
export function webhookTokens(options: WebhookTokensOptions): TokenAuthenticator {
  const { client, version, apiAudiences, timeoutMs = defaultTimeoutMs, measure, signal } = options;
  const kind = { group: "authentication.k8s.io", version, kind: "TokenReview" } as const;
  const read = (body: Buffer): Promise<JsonObject> => decodeReview(kind, body);
  const reviews = new ReviewClient({ client, retryBackoffMs, read, measure, timeoutMs });
  signal.addEventListener("abort", () => reviews[Symbol.dispose](), { once: true });
  return {
    async authenticateToken(token, audiences) {
      const spec = { token, ...(audiences.length === 0 ? {} : { audiences: [...audiences] }) };
      const begun = performance.now();
      try {
        const either = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        const review = await reviews.review(encodeReview(kind, spec, { user: {} }), either);
        return decisionOf(objectAt(review, "status"), audiences, apiAudiences);
      } catch (error) {
        if (error instanceof ReviewFailedError) {
          // The first call may reach its own limit in the same moment.
          return rejected(performance.now() - begun < timeoutMs - 1 ? error.message : "context deadline exceeded");
        }
        throw error;
      }
    },
  };
}

function decisionOf(
  status: JsonObject,
  asked: readonly string[],
  apiAudiences: readonly string[],
): AuthenticationDecision {
  const told = listAt(status, "audiences").map(String);
  const audiences = intersection(told.length === 0 ? apiAudiences : told, asked);
  if (asked.length > 0 && audiences.length === 0) {
    return noOpinion;
  }
  if (!booleanAt(status, "authenticated")) {
    const problem = textAt(status, "error");
    return problem === "" ? noOpinion : rejected(problem);
  }
  return { outcome: "authenticated", user: userOf(objectAt(status, "user")), audiences };
}

function userOf(user: JsonObject): UserInfo {
  const uid = textAt(user, "uid");
  const extra = Object.keys(objectAt(user, "extra")).map((key) => [key, listAt(user, "extra", key).map(String)]);
  return {
    username: textAt(user, "username"),
    ...(uid === "" ? {} : { uid }),
    groups: listAt(user, "groups").map(String),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}
