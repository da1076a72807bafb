// The entry point `@gatehouse/webhooks/testing`: requests put to hooks and policies without a server.
export type { AccessQuestion } from "@gatehouse/policies/cel";
export type { AdmissionOutcome } from "./admission-outcome.js";
export { type AdmitOptions, admit } from "./admit.js";
export type { GivenRequest } from "./build-review.js";
export type { TestAuthorizer } from "./given-write.js";
export { BadObjectError } from "./prepare-object.js";
