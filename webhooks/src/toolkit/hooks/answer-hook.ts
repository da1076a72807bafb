import type { AdmissionDecision } from "../decision/decision.js";
import type { AdmissionRequest } from "../handlers/admission-request.js";
import type { HandlerContext } from "../handlers/handler.js";
import type { Hook } from "./hook.js";

/**
 * Asks a hook. Rejects with its error, and with TypeError for decisions that a server would refuse with a message that
 * does not help: none at all, or a patch of a validating hook.
 */
export async function answerHook(
  hook: Hook,
  request: AdmissionRequest,
  context: HandlerContext,
): Promise<AdmissionDecision> {
  const decision: AdmissionDecision | undefined = await hook.handler(request, context);
  if (typeof decision?.allowed !== "boolean") {
    throw new TypeError(`hook ${hook.name} has returned no decision`);
  }
  if (decision.allowed && decision.patch.length > 0 && hook.type === "validating") {
    throw new TypeError(`hook ${hook.name} is a validating hook and has returned a patch`);
  }
  return decision;
}
