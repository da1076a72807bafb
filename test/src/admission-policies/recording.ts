import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CaseOutcome } from "./run-cases.js";

/** Path of the answers of kube-apiserver v1.29.0; beside the source, because they are data. */
const file = fileURLToPath(new URL("../../src/admission-policies/recorded.json", import.meta.url));

/** Outcomes by the names of cases. */
export function readRecording(): Readonly<Record<string, CaseOutcome>> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, CaseOutcome>;
}

/** One line for each case, so that a difference shows where it is. */
export function writeRecording(outcomes: ReadonlyMap<string, CaseOutcome>): void {
  const lines = [...outcomes].map(([name, outcome]) => `${JSON.stringify(name)}: ${JSON.stringify(outcome)}`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}
