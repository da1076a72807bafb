import { createHttpClient, type HttpClient, type HttpResponse } from "@gatehouse/component-base/http-client";
import type { ControlPlaneCertificates } from "@gatehouse/testing/certificates";

/** State of a sink's index. */
export interface IndexedNow {
  readonly events: number;
  readonly position: number;
  /** Events of the log that are not indexed yet. */
  readonly behind: number;
}

/** Number of events that a follower has received so far. */
export interface Followed {
  readonly told: number;
  /** Events that were too many to be told. */
  readonly skipped: number;
}

/** Asks a sink for events, with the certificate of the name `sender`. */
export class SinkReader implements Disposable {
  readonly #client: HttpClient;
  readonly #until = new AbortController();

  private constructor(client: HttpClient) {
    this.#client = client;
  }

  static async open(pki: ControlPlaneCertificates, port: number): Promise<SinkReader> {
    const client = createHttpClient({
      config: {
        server: new URL(`https://127.0.0.1:${port}`),
        certificateAuthorityPem: pki.authority.certificatePem,
        insecureSkipTlsVerify: false,
        clientCertificate: await pki.clientCertificate("sender", []),
      },
    });
    return new SinkReader(client);
  }

  /** Follows all events from now on until disposed of; what it returns is kept up to date. */
  follow(): Followed {
    const followed = { told: 0, skipped: 0 };
    let rest = "";
    const onBody = (piece: Buffer): void => {
      const lines = (rest + piece.toString()).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines.filter((text) => text !== "")) {
        const { skipped } = JSON.parse(line) as { readonly skipped?: number };
        followed.told += skipped === undefined ? 1 : 0;
        followed.skipped += skipped ?? 0;
      }
    };
    const { signal } = this.#until;
    // It ends with the sink or with this reader.
    this.#client.request({ path: "/api/tail", signal, timeoutMs: 600_000, onBody }).catch(() => undefined);
    return followed;
  }

  get(path: string): Promise<HttpResponse> {
    return this.#client.request({ path, signal: this.#until.signal, timeoutMs: 30_000 });
  }

  /** Returns the state of the index. */
  async indexed(): Promise<IndexedNow> {
    const { body } = await this.get("/api/stats");
    return (JSON.parse(body.toString()) as { readonly index: IndexedNow }).index;
  }

  /** The audit IDs of all events, a page after the other. */
  async auditIds(): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await this.get(`/api/events?limit=1000${cursor}`);
      const page = JSON.parse(body.toString()) as {
        readonly items: readonly { readonly event: { readonly auditID: string } }[];
        readonly next?: string;
      };
      ids.push(...page.items.map(({ event }) => event.auditID));
      if (page.next === undefined) {
        return ids;
      }
      cursor = `&cursor=${encodeURIComponent(page.next)}`;
    }
  }

  [Symbol.dispose](): void {
    this.#until.abort();
    this.#client[Symbol.dispose]();
  }
}
