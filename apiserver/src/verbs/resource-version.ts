import { goQuote } from "@gatehouse/envelopes/go";
import { badRequest } from "@gatehouse/envelopes/status";
import { parseUnsigned } from "./parse-integer.js";

/**
 * Reads a version that a client sends back. They are opaque to clients, decimal revisions to us. `prefix` comes before
 * the message, as v1.29 has it where the store and not the cache reads the version.
 */
export function parseResourceVersion(text: string, prefix = ""): number {
  const problem = (detail: string): Error =>
    badRequest(`${prefix}resourceVersion: Invalid value: ${goQuote(text)}: ${detail}`);
  return parseUnsigned(text, problem);
}
