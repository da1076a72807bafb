import { readFileSync } from "node:fs";
import type { RecordedAnswer } from "./recorded-answer.js";

/** One creation of a Thing: the JSON text of its spec as it is sent, and the answer. */
export interface RecordedCase {
  readonly spec: string;
  readonly answer: RecordedAnswer;
}

// Data lies beside the source, which the compiler does not copy.
const folder = new URL("../../../src/conformance/custom-objects/", import.meta.url);

const recordedFile: URL = new URL("creates.jsonl", folder);

/** Path of the definition of Thing, which has a member of spec for every construct that a schema may have. */
export const definitionFile: URL = new URL("definition.json", folder);

/** The cases as they were recorded. */
export function readRecordedCases(): readonly RecordedCase[] {
  return readFileSync(recordedFile, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as RecordedCase);
}

/** The body of a creation; its numbers are spelled as they were. */
export function bodyOf({ spec }: Pick<RecordedCase, "spec">): string {
  return `{"apiVersion":"cr.example.com/v1","kind":"Thing","metadata":{"name":"recorded"},"spec":${spec}}`;
}
