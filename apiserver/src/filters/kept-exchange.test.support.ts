import type { HeaderFields } from "../request/header-fields.js";

/** An exchange that keeps its answer. */
export class KeptExchange {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  status = 0;
  fields: HeaderFields = [];
  body = "";
  isClosed = false;
  isComplete = false;
  readonly connection = { hold: () => () => {} };
  readonly #listeners: (() => void)[] = [];

  constructor(method = "GET", headers: Readonly<Record<string, string>> = {}) {
    this.method = method;
    this.headers = headers;
  }

  send(status: number, fields: HeaderFields, body: Buffer): void {
    this.status = status;
    this.fields = fields;
    this.body = body.toString();
    this.isComplete = true;
  }

  whenClosed(listener: () => void): () => void {
    this.#listeners.push(listener);
    return () => {};
  }

  close(): void {
    this.isClosed = true;
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
