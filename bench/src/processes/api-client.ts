import { Agent, type RequestOptions, request } from "node:https";
import type { ClientCertificates } from "../certificates.js";
import { readClientTls } from "./client-tls.js";

export interface Answer {
  readonly code: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

/** Sends single requests to a server on 127.0.0.1, on connections that are kept open. */
export class ApiClient implements Disposable {
  readonly #port: number;
  readonly #agent: Agent;

  constructor(port: number, certificates: ClientCertificates) {
    this.#port = port;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32, ...readClientTls(certificates) });
  }

  /** Sends a request and returns the answer, whatever its status. */
  ask(method: string, path: string, body?: string): Promise<Answer> {
    return sendRequest({ agent: this.#agent, host: "127.0.0.1", port: this.#port, method, path }, body);
  }

  /** Throws for codes of 400 and above. */
  async request(method: string, path: string, body?: string): Promise<Answer> {
    const answer = await this.ask(method, path, body);
    if (answer.code >= 400) {
      throw new Error(`${method} ${path} was answered ${answer.code}: ${answer.body.toString().slice(0, 500)}`);
    }
    return answer;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

/** Asks until the answer is 200, for `timeoutMs`; while nobody listens, too. Throws what went wrong last. */
export async function untilServed(
  client: Pick<ApiClient, "request">,
  path: string,
  { timeoutMs = 10_000, method = "GET", body }: { timeoutMs?: number; method?: string; body?: string } = {},
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      await client.request(method, path, body);
      return;
    } catch (error) {
      if (performance.now() > deadline) {
        throw error;
      }
    }
  }
}

function sendRequest(options: RequestOptions, body: string | undefined): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "Content-Type": "application/json" };
    const outgoing = request({ ...options, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        resolve({ code: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) });
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}
