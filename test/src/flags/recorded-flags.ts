import { readFileSync } from "node:fs";

/** A flag of kube-apiserver v1.29. */
export interface RecordedFlag {
  readonly name: string;
  /** The type as `--help` names it; absent for flags that it does not show. */
  readonly type?: string;
  /** The value as kube-apiserver logs it at start; lists in brackets, `<nil>` for an address. */
  readonly default: string;
}

/** A command line that kube-apiserver was asked about, behind flags that are good. */
export interface RecordedRefusal {
  readonly flags: readonly string[];
  /** The exit code; absent where the flags are accepted. */
  readonly exitCode?: number;
  /** The words of the refusal. */
  readonly words?: string;
}

/** Values of one flag: those with which kube-apiserver starts, and those with which it does not. */
export interface RecordedValues {
  readonly accepted: readonly string[];
  readonly refused: readonly string[];
}

/** The answers of kube-apiserver v1.29, written by record.ts. */
export interface FlagRecording {
  readonly flags: readonly RecordedFlag[];
  readonly refusals: readonly RecordedRefusal[];
  /** The values by the name of their flag. */
  readonly values: Readonly<Record<string, RecordedValues>>;
}

/** The file of the recording, in the sources. */
export const recordingFile = new URL("../../src/flags/recorded.json", import.meta.url);

/** Reads the recording. */
export function readRecording(): FlagRecording {
  return JSON.parse(readFileSync(recordingFile, "utf8"));
}
