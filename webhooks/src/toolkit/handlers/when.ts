import { allow } from "../decision/decision.js";
import type { AdmissionRequest } from "./admission-request.js";
import type { Handler } from "./handler.js";

/** Returns a handler that asks `handler` about requests for which `applies` returns true, and allows the others. */
export function when(applies: (request: AdmissionRequest) => boolean, handler: Handler): Handler {
  return (request, context) => (applies(request) ? handler(request, context) : allow());
}
