import type { Item, Stats } from "./types.js";

/** Why a question was not answered. */
export class ApiError extends Error {
  /** Of the answer; 0 when there was none. */
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** Some events, newest first, and where to go on. */
export interface Page {
  readonly items: readonly Item[];
  readonly next?: string;
}

const storageKey = "gatehouse-audit-token";

/** Asks the sink that has served the page. The token lives in the session storage of the tab, and in headers only. */
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

  async whoami(): Promise<string> {
    const { name } = (await this.#json("whoami", new URLSearchParams())) as { name: string };
    return name;
  }

  async events(query: URLSearchParams, signal: AbortSignal): Promise<Page> {
    return (await this.#json("events", query, signal)) as Page;
  }

  async stats(query: URLSearchParams, signal: AbortSignal): Promise<Stats> {
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
        throw new ApiError(0, "The sink has ended the stream of events.");
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
    return (await this.#fetch(path, query, signal)).json();
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
      throw new ApiError(response.status, await messageOf(response));
    }
    return response;
  }
}

/** Browsers tell that in words of their own. */
function unreachable(error: unknown): never {
  throw error instanceof TypeError ? new ApiError(0, "The sink cannot be reached.") : error;
}

async function messageOf(response: Response): Promise<string> {
  try {
    const { message } = (await response.json()) as { message?: unknown };
    return typeof message === "string" ? message : response.statusText;
  } catch {
    return response.statusText;
  }
}
