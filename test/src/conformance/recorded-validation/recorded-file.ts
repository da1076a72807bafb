import { readFileSync } from "node:fs";
import type { RecordedCase, RecordedObject } from "./recorded-case.js";

/** An object and the cases that spoil it. */
export interface RecordedGroup {
  readonly subject: RecordedObject;
  readonly cases: readonly RecordedCase[];
}

/** Reads a file of lines of JSON: an object, its cases, the next object, and so on. */
export function readRecordedFile(path: string | URL): RecordedGroup[] {
  const groups: { subject: RecordedObject; cases: RecordedCase[] }[] = [];
  for (const line of readFileSync(path, "utf8").split("\n").filter(Boolean)) {
    const value = JSON.parse(line) as RecordedObject | RecordedCase;
    if ("object" in value) {
      groups.push({ subject: value, cases: [] });
    } else {
      groups.at(-1)?.cases.push(value);
    }
  }
  return groups;
}

/** Formats the groups as the text of a file. */
export function formatRecordedFile(groups: readonly RecordedGroup[]): string {
  const lines = groups.flatMap(({ subject, cases }) => [subject, ...cases]);
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}
