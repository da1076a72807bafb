import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { booleanAt, type JsonObject, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { CompiledExpression } from "@gatehouse/policies/cel";
import { ReviewFailedError } from "../../errors/errors.js";
import { AnswerCache } from "../../review-webhooks/answer-cache.js";
import { type MeasureReview, ReviewClient } from "../../review-webhooks/review-client.js";
import { decodeReview, encodeReview } from "../../review-webhooks/review-document.js";
import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from "../authorizer.js";
import { matchAccessConditions } from "./access-conditions.js";
import { accessQuestion, isRemembered } from "./access-question.js";

/** The webhook that authorizes requests, and the decision when it fails. */
export interface WebhookAuthorizerOptions {
  readonly client: ClientConfig;
  /** The version of `authorization.k8s.io`. */
  readonly version: "v1" | "v1beta1";
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  readonly timeoutMs: number;
  readonly decisionOnError: "noOpinion" | "deny";
  /** Conditions that a request must meet to be asked about; none when absent. */
  readonly matchConditions?: readonly CompiledExpression[];
  /** Returns the time in milliseconds, on any clock. */
  readonly now: () => number;
  /** The delay in milliseconds before the second try of a failed call; 500 by default. */
  readonly retryBackoffMs?: number;
  /** Measures the calls; nobody does when absent. */
  readonly measure?: MeasureReview;
  /** The signal that aborts when the server stops. */
  readonly signal: AbortSignal;
}

/** The delay before the second try of a call in milliseconds, as in v1.29. */
const defaultRetryBackoffMs = 500;
const maxRemembered = 8192;

const notAsked: AuthorizationDecision = { decision: "noOpinion", reason: "" };

/**
 * Returns the authorizer of `--authorization-mode=Webhook`, which sends a SubjectAccessReview and caches the answer.
 */
export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const { client, version, timeoutMs, signal, measure } = options;
  const { matchConditions = [], retryBackoffMs = defaultRetryBackoffMs } = options;
  const kind = { group: "authorization.k8s.io", version, kind: "SubjectAccessReview" } as const;
  const read = async (body: Buffer): Promise<AuthorizationDecision> =>
    decisionOf(objectAt(await decodeReview(kind, body), "status"));
  const reviews = new ReviewClient({ client, timeoutMs, retryBackoffMs, read, measure });
  signal.addEventListener("abort", () => reviews[Symbol.dispose](), { once: true });
  const answers = new AnswerCache<AuthorizationDecision>(maxRemembered, options.now);

  async function ask(attributes: AuthorizationAttributes, question: JsonObject): Promise<AuthorizationDecision> {
    try {
      const either = attributes.signal === undefined ? signal : AbortSignal.any([signal, attributes.signal]);
      return await reviews.review(encodeReview(kind, question, { allowed: false }), either);
    } catch (error) {
      if (error instanceof ReviewFailedError) {
        return { decision: options.decisionOnError, reason: "", error };
      }
      throw error;
    }
  }

  return {
    authorize(attributes) {
      if (matchConditions.length > 0) {
        const { matches, error } = matchAccessConditions(matchConditions, attributes);
        if (error !== undefined) {
          return { decision: options.decisionOnError, reason: "", error };
        }
        if (!matches) {
          return notAsked;
        }
      }
      const question = accessQuestion(attributes, version);
      const key = encodeJson(question);
      const known = answers.get(key);
      if (known !== undefined) {
        return known;
      }
      return ask(attributes, question).then((answer) => {
        const isAnswer = !(answer.error instanceof ReviewFailedError);
        if (isAnswer && isRemembered(attributes)) {
          // What was both allowed and denied counts as allowed for how long it is remembered, as in v1.29.
          const isAllowed = answer.decision === "allow" || answer.error !== undefined;
          answers.add(key, answer, isAllowed ? options.authorizedTtlMs : options.unauthorizedTtlMs);
        }
        return answer;
      });
    },
    rulesFor: () => ({
      rules: [],
      incomplete: true,
      error: new Error("webhook authorizer does not support user rule resolution"),
    }),
  };
}

function decisionOf(status: JsonObject): AuthorizationDecision {
  const [isAllowed, isDenied] = [booleanAt(status, "allowed"), booleanAt(status, "denied")];
  const reason = textAt(status, "reason");
  if (!isDenied) {
    return { decision: isAllowed ? "allow" : "noOpinion", reason };
  }
  return isAllowed
    ? {
        decision: "deny",
        reason,
        error: new Error("webhook subject access review returned both allow and deny response"),
      }
    : { decision: "deny", reason };
}
