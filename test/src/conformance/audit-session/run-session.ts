import { Agent, request } from "node:https";
import { auditSession } from "./session.js";
import type { Sender, Step } from "./step.js";

/** A server of which the tokens of the session are known. */
export interface SessionServer {
  readonly port: number;
  readonly certificateAuthorityPem: string;
}

/** The users of the session, for `--token-auth-file`. */
export const sessionTokens =
  'admin-token,kubernetes-admin,admin-uid,"system:masters"\nuser-token,jane,jane-uid,"developers"\n';

const tokens: Readonly<Record<Sender, string | undefined>> = {
  admin: "admin-token",
  jane: "user-token",
  nobody: "unknown-token",
  anonymous: undefined,
};

/** Sends the requests one after the other; `PREFIX-NUMBER` are their audit IDs. */
export async function runSession({ port, certificateAuthorityPem }: SessionServer, tag: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: certificateAuthorityPem });
  try {
    for (const [index, step] of auditSession(tag).entries()) {
      await send(agent, port, step, `${tag}-${index}${step.auditIdEnd ?? ""}`);
    }
  } finally {
    agent.destroy();
  }
}

function send(agent: Agent, port: number, step: Step, auditId: string): Promise<void> {
  const { method, path, body, as = "admin", leaves } = step;
  const token = tokens[as];
  const headers: Record<string, string> = {
    "user-agent": "session/1.0",
    "audit-id": auditId,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }),
    ...step.headers,
  };
  // Whoever asks for another protocol gets a connection of its own: some servers close it.
  const own = step.headers?.["connection"] === undefined ? { agent } : { agent: false, ca: agent.options.ca };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, method, path, headers, timeout: 60_000, ...own }, (answer) => {
      if (leaves === true) {
        answer.destroy();
        resolve();
        return;
      }
      answer.resume();
      answer.on("end", resolve);
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
