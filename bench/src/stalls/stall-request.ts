import type { StallTarget } from "./stall-target.js";

/** A request that is suspected to hold up everybody else's. */
export interface StallRequest {
  /** Name in the row of the report. */
  readonly name: string;
  /** Set when the request is costly the first time only, so that it is sent to a server that has just been started. */
  readonly onlyFirst?: boolean;
  /** Makes what is sent, which may take time and memory of its own, and returns what sends it. */
  prepare(): SendStallRequest;
}

/** Sends the request and resolves, when all of the answer has come, to what it was, such as the status. */
export type SendStallRequest = (target: StallTarget) => Promise<string>;

/** The namespace of the objects that these requests are about, beside those that are listed. */
export const stallNamespace = "stalls";

/** The text `count` times, each with its number in the place of `#`. */
export function repeated(count: number, text: string): string {
  return Array.from({ length: count }, (_, index) => text.replaceAll("#", String(index))).join("");
}
