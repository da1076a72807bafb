import {
  isForOneOf,
  type RequestAuthenticator,
  type RequestDecision,
  reasonsText,
} from "@gatehouse/apiserver/authentication";
import { type KindDefinition, virtualResource } from "@gatehouse/apiserver/registry";
import type { AnsweredKind } from "@gatehouse/apiserver/verbs";
import { type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest, internalError } from "@gatehouse/envelopes/status";
import { userInfoObject } from "./user-info-object.js";

/** The definition of TokenReview, which answers with the user of a token. */
export const tokenReviewDefinition: KindDefinition = {
  ...virtualResource,
  resource: "tokenreviews",
  kind: "TokenReview",
  namespaced: false,
};

/** The parts that token reviews need. */
export interface TokenReviewParts {
  readonly authenticator: RequestAuthenticator;
  readonly apiAudiences: readonly string[];
}

/** Returns the handler that authenticates the token of a review as if a request came with it. */
export function tokenReview({ authenticator, apiAudiences }: TokenReviewParts): AnsweredKind {
  return {
    check(review) {
      if (textAt(review, "spec", "token") === "") {
        throw badRequest("token is required for TokenReview in authentication");
      }
    },
    async answer(review) {
      const asked = listAt(review, "spec", "audiences").map(String);
      const audiences = asked.length === 0 ? apiAudiences : asked;
      // A header is bytes to Node, of which each is a character.
      const token = Buffer.from(textAt(review, "spec", "token")).toString("latin1");
      const headers = { authorization: `Bearer ${token}` };
      const decision = await authenticator.authenticate(
        { headers, headerValues: () => [], socket: undefined },
        audiences,
      );
      if (decision.outcome === "authenticated" && !isForOneOf(audiences, decision.audiences)) {
        throw internalError("Internal error occurred: error validating audiences");
      }
      return { ...review, status: { ...objectAt(review, "status"), ...statusOf(decision) } };
    },
  };
}

function statusOf(decision: RequestDecision): JsonObject {
  if (decision.outcome === "rejected") {
    const error = decision.reasons.length === 0 ? {} : { error: reasonsText(decision.reasons) };
    return { authenticated: false, ...error };
  }
  const { user, audiences } = decision;
  return {
    authenticated: true,
    user: userInfoObject(user),
    ...(audiences === undefined ? {} : { audiences: [...audiences] }),
  };
}
