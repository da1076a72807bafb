import { allow } from "../decision/decision.js";
import type { AdmissionRequest } from "./admission-request.js";
import type { Handler } from "./handler.js";

/** Asks the handler about requests for which `applies` holds; the others are allowed. */
export function when(applies: (request: AdmissionRequest) => boolean, handler: Handler): Handler {
  return (request, context) => (applies(request) ? handler(request, context) : allow());
}
