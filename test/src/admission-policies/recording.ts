import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CaseOutcome } from "./run-cases.js";

/** Paths of the answers of v1.29.0; beside the source, because they are data. */
const fileOf = (name: string): string =>
  fileURLToPath(new URL(`../../src/admission-policies/${name}`, import.meta.url));
const file = fileOf("recorded.json");
const typesFile = fileOf("recorded-types.json");

/** Outcomes by the names of cases. */
export function readRecording(): Readonly<Record<string, CaseOutcome>> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, CaseOutcome>;
}

/** One line for each case, so that a difference shows where it is. */
export function writeRecording(outcomes: ReadonlyMap<string, CaseOutcome>): void {
  const lines = [...outcomes].map(([name, outcome]) => `${JSON.stringify(name)}: ${JSON.stringify(outcome)}`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}

/** Statuses of the policies of `typeQuestions`, in their order. */
export function readTypes(): readonly unknown[] {
  return JSON.parse(readFileSync(typesFile, "utf8")) as unknown[];
}

export function writeTypes(statuses: readonly unknown[]): void {
  writeFileSync(typesFile, `[\n${statuses.map((status) => JSON.stringify(status)).join(",\n")}\n]\n`);
}
