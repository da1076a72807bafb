import { DecodeError } from "../errors.js";
import type { JsonValue } from "../json/json.js";
import { runSteps, type Steps } from "../scheduling/steps.js";
import { TimeSlice } from "../scheduling/time-slice.js";
import { YamlReader } from "./yaml/reader.js";

/** The result of parsing a YAML text. */
export interface ParsedYaml {
  readonly value: JsonValue;
  /** Messages of v1.29 about keys given twice, of which the last one counts: `line 4: key "replicas" already set in map`. */
  readonly duplicateKeys: readonly string[];
  /** Characters of the text, and of what aliases stand for. */
  readonly length: number;
}

/** The number of readings in one step; each reads a line or a value. */
const readingsPerStep = 256;

/**
 * Parses the first document of a YAML text as sigs.k8s.io/yaml does: YAML 1.1 booleans, keys as text, anchors and merge
 * keys resolved, at most 100,000 values in all, of which aliases add no more than 3 MiB. Rejects with DecodeError. Other work
 * runs while a long text is read, hence the promise.
 */
export function parseYaml(text: string): Promise<ParsedYaml> {
  return runSteps(new TimeSlice(), parseYamlSteps(text));
}

/** Parses a YAML text as `parseYaml` does, in steps. Throws DecodeError. */
export function* parseYamlSteps(text: string): Steps<ParsedYaml> {
  const reader = new YamlReader(prepare(text));
  while (!reader.isDone) {
    for (let readings = 0; readings < readingsPerStep && !reader.isDone; readings++) {
      reader.step();
    }
    if (!reader.isDone) {
      yield;
    }
  }
  return {
    value: reader.value,
    duplicateKeys: reader.duplicateKeys,
    length: reader.length,
  };
}

/** Normalizes line breaks to `\n` and removes a byte order mark. Throws DecodeError for characters that YAML forbids. */
function prepare(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what YAML forbids
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]/.test(text)) {
    throw new DecodeError("yaml: control characters are not allowed");
  }
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  return /[\r\x85]/.test(plain) ? plain.replaceAll(/\r\n|\r|\x85/g, "\n") : plain;
}
