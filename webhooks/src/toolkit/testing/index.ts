// The entry point `@gatehouse/webhooks/testing`: requests put to hooks without a server.
export { type AdmissionOutcome, admit } from "./admit.js";
export type { GivenRequest } from "./build-review.js";
export { BadObjectError } from "./prepare-object.js";
