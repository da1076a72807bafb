import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Answered, Play } from "./play.js";

/** All that is recorded. */
export interface Recording {
  readonly play: Play;
  readonly attempt: readonly Answered[];
  readonly guarded: readonly Answered[];
}

/** Where the answers of v1.29 are kept. */
export const recordingFile: string = fileURLToPath(new URL("../../src/authorization/recorded.json", import.meta.url));

/** What v1.29 has answered. */
export function readRecording(): Recording {
  return JSON.parse(readFileSync(recordingFile, "utf8")) as Recording;
}
