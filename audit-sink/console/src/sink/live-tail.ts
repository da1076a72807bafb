import type { Api } from "./api.js";
import type { Item } from "./types.js";

/** The parts of the page that follow events. */
export interface TailListener {
  onNews(items: readonly Item[], skipped: number): void;
  onError(error: unknown): void;
}

/** The stream of events as they come, while it is switched on. */
export class LiveTail {
  readonly #api: Api;
  readonly #listener: TailListener;
  #running: AbortController | undefined;
  #isOn = false;

  constructor(api: Api, listener: TailListener) {
    this.#api = api;
    this.#listener = listener;
  }

  /** True while events are to be followed, also while the sink cannot be reached. */
  get isOn(): boolean {
    return this.#isOn;
  }

  start(question: URLSearchParams): void {
    this.#running?.abort();
    const controller = new AbortController();
    this.#running = controller;
    this.#isOn = true;
    this.#api
      .tail(question, controller.signal, (items, skipped) => this.#listener.onNews(items, skipped))
      .catch((error: unknown) => {
        if (!controller.signal.aborted) {
          this.#listener.onError(error);
        }
      });
  }

  stop(): void {
    this.#isOn = false;
    this.#running?.abort();
  }
}
