import { goQuote } from "@gatehouse/envelopes/go";
import { badRequest } from "@gatehouse/envelopes/status";
import { parseUnsigned } from "./parse-integer.js";

/**
 * Reads a version that a client sends back. They are opaque to clients, decimal revisions to us. A message about one
 * that the store and not the cache reads begins otherwise, as in v1.29.
 */
export function parseResourceVersion(text: string, fromStore: boolean): number {
  const prefix = fromStore ? "invalid resource version: " : "";
  const problem = (detail: string): Error =>
    badRequest(`${prefix}resourceVersion: Invalid value: ${goQuote(text)}: ${detail}`);
  return parseUnsigned(text, problem);
}
