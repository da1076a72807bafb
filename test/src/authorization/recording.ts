import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Play } from "./play.js";

/** Where the answers of v1.29 are kept. */
export const recordingFile: string = fileURLToPath(new URL("../../src/authorization/recorded.json", import.meta.url));

/** What v1.29 has answered. */
export function readRecording(): Play {
  return JSON.parse(readFileSync(recordingFile, "utf8")) as Play;
}
