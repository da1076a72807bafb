import type { RegisterOperation } from "./register-operation.js";

/** A list as it was answered. */
export interface RecordedList {
  readonly version: number;
  /** The resourceVersion of each item by its name. */
  readonly items: ReadonlyMap<string, number>;
}

/** The requests of the clients of one collection, and their answers. Calls and returns are numbered in their order. */
export class RecordedHistory {
  readonly names: readonly string[];
  readonly operations: ReadonlyMap<string, RegisterOperation[]>;
  readonly lists: RecordedList[] = [];
  /** The number of answers of each kind, for the reader of the report. */
  readonly answers = new Map<string, number>();
  #requests = 0;
  #time = 0;

  constructor(names: readonly string[]) {
    this.names = names;
    this.operations = new Map(names.map((name) => [name, []]));
  }

  /** The number of requests that were recorded. */
  get requests(): number {
    return this.#requests;
  }

  /** Returns the next number of a call or a return. */
  now(): number {
    return this.#time++;
  }

  /** Counts one request by its kind and its answer. */
  count(what: string): void {
    this.#requests++;
    this.answers.set(what, (this.answers.get(what) ?? 0) + 1);
  }

  add(name: string, operation: RegisterOperation): void {
    this.operations.get(name)?.push(operation);
  }

  describeAnswers(): string {
    return [...this.answers]
      .sort()
      .map(([what, count]) => `${what}: ${count}`)
      .join(", ");
  }
}
