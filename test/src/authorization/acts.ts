import { setTimeout as pause } from "node:timers/promises";
import type { ApiClient } from "../spec/support/api-client.js";
import { credentials, known, type Player } from "./cast.js";
import { type Answered, answeredBy } from "./play.js";

/** One write: of a master, who sets the scene, or of somebody who may or may not. */
export interface Act {
  readonly by: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly type?: string;
}

export function post(by: string, path: string, body: unknown): Act {
  return { by, method: "POST", path, body };
}

export function put(by: string, path: string, body: unknown): Act {
  return { by, method: "PUT", path, body };
}

export function patch(by: string, path: string, type: "json" | "merge" | "apply", body: unknown): Act {
  return {
    by,
    method: "PATCH",
    path: `${path}${type === "apply" ? "?fieldManager=x" : ""}`,
    body: JSON.stringify(body),
    type: type === "apply" ? "application/apply-patch+yaml" : `application/${type}-patch+json`,
  };
}

/** Each server has its own. */
const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Returns the answers of a server to the acts, in their order. */
export async function perform(client: ApiClient, acts: readonly Act[]): Promise<readonly Answered[]> {
  const answers: Answered[] = [];
  for (const { by, method, path, body, type } of acts) {
    const player = known.find(({ name }) => name === by) as Player;
    const headers = { ...credentials(player), ...(type === undefined ? {} : { "content-type": type }) };
    const { status, text } = await client.request(method, path, { headers, body });
    answers.push(answeredBy({ status, text: text.replaceAll(uuid, "UID") }));
    if (by === "master" && settleMs > 0) {
      await pause(settleMs);
    }
  }
  return answers;
}

/** Time in milliseconds to wait while recording: v1.29 decides by its caches, which must have seen the last write. */
const settleMs = Number(process.env["SETTLE_MS"] ?? 0);
