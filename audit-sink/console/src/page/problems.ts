import { ApiError, type ParameterError } from "../sink/api-error.js";
import type { Connection } from "../sink/connection.js";
import { byId } from "./dom.js";

/** The parts of the page that problems are told to. */
export interface ProblemListener {
  /** Called when the sink does not know who asks. */
  onUnauthorized(): void;
  /** Called with the parameters that the sink refused; with none when all are right again. */
  onParameters(errors: readonly ParameterError[]): void;
  /** Called to ask again, some time after an error that passes. */
  onRetry(): void;
  /** True if an older result is shown. */
  readonly hasResult: boolean;
}

/** The line above the events that tells what is wrong, and what follows from each error. */
export class Problems {
  readonly #connection: Connection;
  readonly #listener: ProblemListener;
  /** A problem that a new answer does not solve. */
  #lasting = "";

  constructor(connection: Connection, listener: ProblemListener) {
    this.#connection = connection;
    this.#listener = listener;
  }

  /** Takes an error of a question. One that was given up is none. */
  take(error: unknown): void {
    if (error instanceof DOMException && error.name === "AbortError") {
      return;
    }
    if (error instanceof ApiError && error.code === 401) {
      this.#listener.onUnauthorized();
    } else if (this.#connection.retry(error, () => this.#listener.onRetry())) {
      showBanner(`${sentence(error)} Trying again …`, "away");
    } else if (error instanceof ApiError && error.parameters.length > 0) {
      this.#listener.onParameters(error.parameters);
      const result = this.#listener.hasResult ? " Below is still the result of the question before." : "";
      showBanner(`${sentence(error)}${result}`);
    } else {
      showBanner(sentence(error));
    }
  }

  /** Tells of a problem until another text, or the empty one, takes its place. */
  setLasting(text: string): void {
    if (text !== this.#lasting) {
      this.#lasting = text;
      showBanner(text);
    }
  }

  /** Forgets the problems of questions, after an answer. */
  solve(): void {
    this.#connection.succeed();
    this.#listener.onParameters([]);
    showBanner(this.#lasting);
  }
}

/** Shows a line above the events; the empty text takes it away. */
export function showBanner(text: string, kind: "wrong" | "away" = "wrong"): void {
  const banner = byId("problem");
  if (banner.textContent !== text) {
    banner.textContent = text;
  }
  banner.dataset["kind"] = kind;
  banner.hidden = text === "";
}

/** Messages of the sink are no sentences. */
function sentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
