import type { LoadResult } from "./load-generator.js";

/** From this share of one core on, the generator may be what limits a figure. */
const busyLimit = 0.97;

/** What a reader of the figure should know about the generator. */
export function generatorNotes(result: LoadResult): readonly string[] {
  return result.busy > busyLimit ? ["the load generator was at its own limit in some rounds"] : [];
}
