import type { Answer } from "./object-client.js";

/** Returns the texts of the Warning headers of an answer. */
export function warningsOf({ headers }: Answer): readonly string[] {
  const all = [headers["warning"] ?? []].flat().join(", ");
  return [...all.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1"));
}

/** Returns the warnings of an answer that come from policies. */
export function policyWarnings(answer: Answer): readonly string[] {
  return warningsOf(answer).filter((text) => text.includes("ValidatingAdmissionPolicy"));
}
