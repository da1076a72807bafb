import { type AdmissionDecision, allow, type Denied, deny, withNotes } from "../decision/decision.js";
import type { Handler } from "./handler.js";

/**
 * Returns a handler that asks all handlers concurrently and allows a request if all allow it. Denials are joined, so that
 * a client sees everything that is wrong at once. A denial stands even if another handler fails. Without a denial, a failure
 * of one is a failure of all. A patch is a TypeError: `chain` is for handlers that change objects.
 *
 * @example
 * const handler = all(imageTags, when(({ namespace }) => namespace !== "lab", resourceLimits));
 */
export function all(...handlers: readonly Handler[]): Handler {
  return async (request, context) => {
    const outcomes = await Promise.allSettled(handlers.map(async (handler) => handler(request, context)));
    const decisions: AdmissionDecision[] = [];
    let failure: PromiseRejectedResult | undefined;
    for (const outcome of outcomes) {
      if (outcome.status === "fulfilled") {
        decisions.push(outcome.value);
      } else {
        failure ??= outcome;
      }
    }
    const denials = decisions.filter((decision): decision is Denied => !decision.allowed);
    if (denials.length === 0 && failure !== undefined) {
      throw failure.reason;
    }
    if (decisions.some((decision) => decision.allowed && decision.patch.length > 0)) {
      throw new TypeError("a handler inside all() has returned a patch; use chain() for handlers that change objects");
    }
    return withNotes(denials.length === 0 ? allow() : joinDenials(denials), {
      warnings: decisions.flatMap(({ warnings }) => warnings),
      auditAnnotations: Object.assign({}, ...decisions.map(({ auditAnnotations }) => auditAnnotations)),
    });
  };
}

/** Returns one denial with the messages of all; code and reason are those of the first. */
function joinDenials(denials: readonly Denied[]): Denied {
  const [first] = denials;
  const { code, reason } = first?.status ?? {};
  const causes = denials.flatMap(({ status }) => status.details?.causes ?? []);
  return deny(denials.map(({ status }) => status.message ?? "").join("; "), {
    ...(code === undefined ? {} : { code }),
    ...(reason === undefined ? {} : { reason }),
    ...(causes.length === 0 ? {} : { details: { causes } }),
  });
}
