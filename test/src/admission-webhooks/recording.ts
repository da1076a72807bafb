import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CaseOutcome } from "./run-case.js";

/** What kube-apiserver v1.29.0 has answered; beside the source, because it is data. */
const recordingFile = fileURLToPath(new URL("../../src/admission-webhooks/recorded.json", import.meta.url));

/** Outcomes by the names of cases. */
export function readRecording(): Readonly<Record<string, CaseOutcome>> {
  return JSON.parse(readFileSync(recordingFile, "utf8")) as Record<string, CaseOutcome>;
}

/** One line for each case, so that a difference shows where it is. */
export function writeRecording(outcomes: Readonly<Record<string, CaseOutcome>>): void {
  const lines = Object.entries(outcomes).map(
    ([name, outcome]) => `${JSON.stringify(name)}: ${JSON.stringify(outcome)}`,
  );
  writeFileSync(recordingFile, `{\n${lines.join(",\n")}\n}\n`);
}
