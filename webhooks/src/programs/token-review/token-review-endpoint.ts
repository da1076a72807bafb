import type { JsonObject } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import type { authenticationV1 } from "@gatehouse/envelopes/types";
import { openSpecReader } from "../../toolkit/review/spec-reader.js";
import type { ReviewEndpoint } from "../../toolkit/server/review-endpoint.js";
import type { TokenReviewer, TokenReviewVerdict } from "./token-reviewer.js";

/** Options of the endpoint. */
export interface TokenReviewOptions {
  /** Returns the reviewer that is in force. */
  readonly reviewer: () => TokenReviewer;
  /** Path that reviews are posted to. Default `/token-review`. */
  readonly path?: string;
}

/** Returns the endpoint that answers TokenReviews (v1, v1beta1). Tokens never reach an answer or a log. */
export async function tokenReviewEndpoint({
  reviewer,
  path = "/token-review",
}: TokenReviewOptions): Promise<ReviewEndpoint> {
  const reader = await openSpecReader("authentication.k8s.io", ["v1", "v1beta1"], "TokenReview");
  return {
    path,
    name: "token-review",
    async answer(review) {
      const { apiVersion, spec } = reader.read(review);
      const { token = "", audiences = [] }: authenticationV1.TokenReviewSpec = spec;
      if (token === "") {
        throw badRequest("TokenReview: spec.token: is required");
      }
      const verdict = await reviewer().review(token, audiences);
      return {
        body: { apiVersion, kind: "TokenReview", status: statusOf(verdict) },
        outcome: outcomeOf(verdict),
      };
    },
  };
}

function outcomeOf(verdict: TokenReviewVerdict): string {
  if (verdict.authenticated) {
    return "authenticated";
  }
  return verdict.failed === true ? "failed" : "unauthenticated";
}

function statusOf(verdict: TokenReviewVerdict): JsonObject {
  if (!verdict.authenticated) {
    return { authenticated: false, ...(verdict.error === undefined ? {} : { error: verdict.error }) };
  }
  const { username, uid, groups, extra } = verdict.user;
  const user: JsonObject = {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups: [...groups],
    ...(extra === undefined ? {} : { extra: extra as JsonObject }),
  };
  return { authenticated: true, user, audiences: [...verdict.audiences] };
}
