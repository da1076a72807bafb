import { ApiError, errorOf } from "./api-error.js";
import type { ConsoleSettings, Item, Page, Stats } from "./types.js";

const storageKey = "gatehouse-audit-token";

/** Requests to the sink that served the page. The token is kept in the session storage of the tab, and sent in headers only. */
export class Api {
  get hasToken(): boolean {
    return sessionStorage.getItem(storageKey) !== null;
  }

  logIn(token: string): void {
    sessionStorage.setItem(storageKey, token);
  }

  logOut(): void {
    sessionStorage.removeItem(storageKey);
  }

  /** Returns what anybody may know of the console. */
  async settings(): Promise<ConsoleSettings> {
    const response = await fetch("settings.json").catch(unreachable);
    return (await response.json()) as ConsoleSettings;
  }

  async whoami(): Promise<string> {
    const { name } = (await this.#json("whoami", new URLSearchParams())) as { name: string };
    return name;
  }

  async events(query: URLSearchParams, signal?: AbortSignal): Promise<Page> {
    return (await this.#json("events", query, signal)) as Page;
  }

  async event(position: number, signal?: AbortSignal): Promise<Item> {
    return (await this.#json(`events/${position}`, new URLSearchParams(), signal)) as Item;
  }

  async stats(query: URLSearchParams, signal?: AbortSignal): Promise<Stats> {
    return (await this.#json("stats", query, signal)) as Stats;
  }

  /** Calls back with events as they come, in portions, until the signal aborts. Rejects when the stream ends otherwise. */
  async tail(
    query: URLSearchParams,
    signal: AbortSignal,
    onNews: (items: readonly Item[], skipped: number) => void,
  ): Promise<void> {
    const response = await this.#fetch("tail", query, signal);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read().catch(unreachable);
      if (done) {
        throw new ApiError(0, "The audit sink has stopped, or has ended the stream of events.");
      }
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      const documents = lines
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Item | { skipped: number });
      const items = documents.filter((document): document is Item => "event" in document);
      const skipped = documents.reduce((sum, document) => sum + ("skipped" in document ? document.skipped : 0), 0);
      if (items.length > 0 || skipped > 0) {
        onNews(items, skipped);
      }
    }
  }

  async #json(path: string, query: URLSearchParams, signal?: AbortSignal): Promise<unknown> {
    const response = await this.#fetch(path, query, signal);
    return response.json().catch(unreachable);
  }

  async #fetch(path: string, query: URLSearchParams, signal?: AbortSignal): Promise<Response> {
    const token = sessionStorage.getItem(storageKey);
    const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` };
    const response = await fetch(`/api/${path}?${query}`, {
      headers,
      cache: "no-store",
      ...(signal === undefined ? {} : { signal }),
    }).catch(unreachable);
    if (!response.ok) {
      throw await errorOf(response);
    }
    return response;
  }
}

/** Replaces the errors of connections, which each browser words in its own way. */
function unreachable(error: unknown): never {
  throw error instanceof TypeError ? new ApiError(0, "The audit sink is stopped or cannot be reached.") : error;
}
