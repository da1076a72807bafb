import type { Authorizer } from "@gatehouse/apiserver/authorization";
import type { AnsweredKind } from "@gatehouse/apiserver/verbs";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";
import type { PolicyRule } from "@gatehouse/policies/rbac";

/**
 * Returns the handler that answers with the rules that all authorizers together allow the user in a namespace. The
 * answer is new, whatever was posted.
 */
export function rulesReview(authorizer: Required<Authorizer>): AnsweredKind {
  return {
    check(review) {
      if (textAt(review, "spec", "namespace") === "") {
        throw badRequest("no namespace on request");
      }
    },
    async answer(review, { user }) {
      const { rules, incomplete, error } = await authorizer.rulesFor(user, textAt(review, "spec", "namespace"));
      return {
        metadata: { creationTimestamp: null },
        spec: {},
        status: {
          resourceRules: rules.filter(({ resources }) => resources.length > 0).map(resourceRule),
          nonResourceRules: rules.filter(({ nonResourceURLs }) => nonResourceURLs.length > 0).map(pathRule),
          incomplete,
          ...(error === undefined ? {} : { evaluationError: error.message }),
        },
      };
    },
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return {
    verbs: [...verbs],
    apiGroups: [...apiGroups],
    resources: [...resources],
    ...(resourceNames.length === 0 ? {} : { resourceNames: [...resourceNames] }),
  };
}

function pathRule({ verbs, nonResourceURLs }: PolicyRule): JsonObject {
  return { verbs: [...verbs], nonResourceURLs: [...nonResourceURLs] };
}
