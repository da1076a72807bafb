import type { Authorizer } from "@gatehouse/apiserver/authorization";
import type { RegistrySource } from "@gatehouse/apiserver/registry";
import { connectHandlers } from "@gatehouse/apiserver/subresources";
import { answerHandlers, type HandlersOfKinds } from "@gatehouse/apiserver/verbs";
import { resourceNotFound } from "@gatehouse/envelopes/status";
import type { NodeCalls } from "../kubelet-client/node-calls.js";
import { selfSubjectReview } from "./authentication/self-subject-review.js";
import { type TokenReviewParts, tokenReview } from "./authentication/token-review.js";
import { accessReview } from "./authorization/access-review.js";
import { rulesReview } from "./authorization/rules-review.js";
import { getComponentStatus, listComponentStatuses } from "./core/component-status/component-statuses.js";
import { connectNodeProxy } from "./core/node/connect.js";
import { createBinding } from "./core/pod/binding.js";
import { connectPodProxy, connectToContainer, connectToPorts } from "./core/pod/connect.js";
import { createEviction } from "./core/pod/eviction.js";
import { getLog } from "./core/pod/log.js";
import { connectServiceProxy } from "./core/service/connect.js";
import { type TokenRequestParts, tokenRequest } from "./core/service-account/token-request.js";

/** The parts that handlers of built-in kinds need. */
export interface HandlerParts {
  readonly liveRegistry: RegistrySource;
  readonly authorizer: Required<Authorizer>;
  readonly tokenRequests: TokenRequestParts;
  readonly tokenReviews: TokenReviewParts;
  readonly nodeCalls: NodeCalls;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Returns the handlers of built-in kinds that no general mechanism serves. */
export function builtinHandlers(parts: HandlerParts): HandlersOfKinds {
  const { liveRegistry, authorizer, tokenRequests, tokenReviews, nodeCalls, now } = parts;
  return new Map([
    [
      "bindings",
      {
        create: (scope) => {
          const pods = liveRegistry.current.find("", "v1", "pods");
          if (pods === undefined) {
            throw resourceNotFound();
          }
          return createBinding({ ...scope, served: pods });
        },
      },
    ],
    ["componentstatuses", { get: getComponentStatus, list: listComponentStatuses }],
    ["nodes/proxy", connectHandlers(connectNodeProxy(nodeCalls))],
    ["pods/attach", connectHandlers(connectToContainer(nodeCalls, "attach"))],
    ["pods/binding", { create: createBinding }],
    ["pods/exec", connectHandlers(connectToContainer(nodeCalls, "exec"))],
    ["pods/log", { get: getLog(nodeCalls) }],
    ["pods/portforward", connectHandlers(connectToPorts(nodeCalls))],
    ["pods/proxy", connectHandlers(connectPodProxy(nodeCalls))],
    ["tokenreviews.authentication.k8s.io", answerHandlers(tokenReview(tokenReviews))],
    ["serviceaccounts/token", answerHandlers(tokenRequest(tokenRequests))],
    ["services/proxy", connectHandlers(connectServiceProxy(nodeCalls))],
    [
      "localsubjectaccessreviews.authorization.k8s.io",
      answerHandlers(accessReview({ about: "named", local: true }, authorizer)),
    ],
    ["selfsubjectaccessreviews.authorization.k8s.io", answerHandlers(accessReview({ about: "self" }, authorizer))],
    ["selfsubjectrulesreviews.authorization.k8s.io", answerHandlers(rulesReview(authorizer))],
    ["subjectaccessreviews.authorization.k8s.io", answerHandlers(accessReview({ about: "named" }, authorizer))],
    ["selfsubjectreviews.authentication.k8s.io", answerHandlers(selfSubjectReview(now))],
    [
      "pods/eviction",
      { create: createEviction(() => liveRegistry.current.findAnyVersion("policy", "poddisruptionbudgets")) },
    ],
  ]);
}
