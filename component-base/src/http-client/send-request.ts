import { type Agent, type ClientRequest, request as startRequest } from "node:http";
import type { Deadline } from "./deadline.js";
import type { HttpRequest, HttpResponse } from "./http-request.js";
import { readBody } from "./read-body.js";

/** A request with everything that its sending needs. */
export interface SentRequest extends HttpRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** As it stands in the request line. */
  readonly target: string;
  /** Whether packed answers are unpacked here. */
  readonly unzip: boolean;
  readonly deadline: Deadline;
}

const defaultMaxResponseBytes = 4 * 1024 * 1024;
/** As Go's transport allows, more or less; Node's own of 16 KiB would refuse what others take. */
const maxHeaderBytes = 1024 * 1024;

const replayableMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Those whose requests say no length where there is no body. */
const bodilessMethods: ReadonlySet<string> = new Set([...replayableMethods, "DELETE"]);

/**
 * A server may close a kept connection in the moment in which we use it. Then a request that changes nothing is sent
 * once more; one that may change something is not, because it may have arrived.
 */
export async function sendWithRetry(agent: Agent, asked: SentRequest): Promise<HttpResponse> {
  const first = send(agent, asked);
  try {
    return await first.response;
  } catch (error) {
    const replayable = asked.idempotent ?? replayableMethods.has(asked.method ?? "GET");
    if (!replayable || !first.request.reusedSocket || first.answered() || !isLostConnection(error)) {
      throw error;
    }
    return await send(agent, asked).response;
  }
}

function isLostConnection(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(ECONNRESET|EPIPE)$/.test(String(error.code));
}

interface Sending {
  readonly request: ClientRequest;
  readonly response: Promise<HttpResponse>;
  /** Whether the answer has begun. */
  answered(): boolean;
}

function send(agent: Agent, asked: SentRequest): Sending {
  // TLS is the affair of the agent, so this is a plain request whatever the server's scheme.
  const request = startRequest({
    agent,
    path: asked.target,
    method: asked.method ?? "GET",
    headers: headerList(asked),
    setHost: false,
    maxHeaderSize: maxHeaderBytes,
  });
  let answered = false;
  // Not by the option `signal`: that costs a dozen listeners for each request.
  asked.deadline.onEnd(() => request.destroy(new Error("the call has ended")));
  const response = new Promise<HttpResponse>((resolve, reject) => {
    request.on("error", (error) => {
      if (!answered) {
        reject(error);
      }
    });
    request.on("response", (incoming) => {
      answered = true;
      const onBody = incoming.statusCode === 200 ? asked.onBody : undefined;
      readBody(incoming, asked.maxResponseBytes ?? defaultMaxResponseBytes, asked.unzip, onBody).then(
        (body) => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body }),
        (error: unknown) => {
          request.destroy();
          reject(error);
        },
      );
    });
  });
  request.end(asked.body);
  return { request, response, answered: () => answered };
}

/** Names and values in turns: Node writes such a list as it is, and would keep a map of its own for an object. */
function headerList({ method = "GET", headers, body }: SentRequest): string[] {
  const list: string[] = [];
  for (const name in headers) {
    list.push(name, headers[name] as string);
  }
  if (body !== undefined || !bodilessMethods.has(method)) {
    list.push("content-length", String(body === undefined ? 0 : byteLength(body)));
  }
  return list;
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
}
