import { resolve } from "node:path";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import { parseQuantity, quantityValue } from "@gatehouse/envelopes/codec";
import { parseDuration } from "@gatehouse/envelopes/go";

/** A member that may be left out, in JSON or in the types made of the IDL. */
type Optional<T> = T | null | undefined;

const nanosecondsInMs = 1_000_000n;

/** Reads settings whose shape has been checked, fills in defaults and collects what is wrong with the values. */
export class Settings {
  readonly problems: Problem[] = [];
  readonly #folder: string;

  /** `folder` is where relative file names start from. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  refuse(path: string, text: string): void {
    this.problems.push(problemAt(path, text));
  }

  /** A text that must not be empty. */
  text(path: string, value: Optional<string>): string {
    if (value === undefined || value === null || value === "") {
      this.refuse(path, "must not be empty");
      return "";
    }
    return value;
  }

  file(path: string, value: Optional<string>): string {
    return resolve(this.#folder, this.text(path, value));
  }

  optionalFile(value: Optional<string>): string | undefined {
    return value === undefined || value === null || value === "" ? undefined : resolve(this.#folder, value);
  }

  /** Bytes, from a quantity such as 64Mi or a number. */
  bytes(path: string, value: Optional<string | number>, fallback: number, minimum = 1): number {
    if (value === undefined || value === null) {
      return fallback;
    }
    let bytes: number;
    try {
      bytes = Number(quantityValue(parseQuantity(String(value))));
    } catch {
      this.refuse(path, `${JSON.stringify(value)} is no quantity of bytes, such as 64Mi`);
      return fallback;
    }
    return this.#atLeast(path, bytes, minimum, "bytes");
  }

  /** Milliseconds, from a duration such as 1m30s. */
  durationMs(path: string, value: Optional<string>, fallback: number, minimum = 0): number {
    if (value === undefined || value === null) {
      return fallback;
    }
    let milliseconds: number;
    try {
      milliseconds = Number(parseDuration(value) / nanosecondsInMs);
    } catch {
      this.refuse(path, `${JSON.stringify(value)} is no duration, such as 1m30s`);
      return fallback;
    }
    return this.#atLeast(path, milliseconds, minimum, "ms");
  }

  count(path: string, value: Optional<number>, fallback: number, maximum: number = Number.POSITIVE_INFINITY): number {
    if (value === undefined || value === null) {
      return fallback;
    }
    if (value > maximum) {
      this.refuse(path, `must be at most ${maximum}`);
    }
    return this.#atLeast(path, value, 1, "");
  }

  #atLeast(path: string, value: number, minimum: number, unit: string): number {
    if (value < minimum) {
      this.refuse(path, `must be at least ${minimum}${unit === "" ? "" : ` ${unit}`}`);
    }
    return value;
  }
}
