import type { MaybePromise } from "../request/handler.js";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "./authorizer.js";

/**
 * Asks one authorizer after the other until one has an opinion. Without any the reasons of all are told, a line each. When
 * one throws or rejects, nobody else is asked.
 */
export function unionAuthorizer(authorizers: readonly Authorizer[]): Authorizer {
  const askFrom = (
    index: number,
    attributes: AuthorizationAttributes,
    reasons: readonly string[],
  ): MaybePromise<AuthorizationDecision> => {
    const authorizer = authorizers[index];
    if (authorizer === undefined) {
      return { decision: "noOpinion", reason: reasons.join("\n") };
    }
    const conclude = (answer: AuthorizationDecision): MaybePromise<AuthorizationDecision> =>
      answer.decision === "noOpinion"
        ? askFrom(index + 1, attributes, answer.reason === "" ? reasons : [...reasons, answer.reason])
        : answer;
    const answer = authorizer.authorize(attributes);
    return answer instanceof Promise ? answer.then(conclude) : conclude(answer);
  };
  return { authorize: (attributes) => askFrom(0, attributes, []) };
}
