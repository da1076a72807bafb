import type { JsonObject } from "@gatehouse/envelopes/json";
import type { Answer, ApiClient } from "../spec/support/api-client.js";
import { until } from "../support/until.js";
import { credentials, type Player, players, stage } from "./cast.js";
import { type Question, questions } from "./questions.js";

/** Answers of a server to each question of each player, by the name of the player. */
export type Play = Readonly<Record<string, Readonly<Record<string, Answered>>>>;

/** The code, and what is said with it: of what is allowed only the verdicts of reviews. */
export interface Answered {
  readonly code: number;
  readonly says?: unknown;
}

/** Sets the stage as a master, and lets every player ask everything. */
export async function play(client: ApiClient): Promise<Play> {
  await setStage(client);
  const answers: Record<string, Record<string, Answered>> = {};
  for (const player of players) {
    const answered: Record<string, Answered> = {};
    for (const question of questions) {
      answered[question.name] = await ask(client, player, question);
    }
    answers[player.name] = answered;
  }
  return answers;
}

const master = credentials(players[0] as Player);

async function setStage(client: ApiClient): Promise<void> {
  for (const [path, object] of stage) {
    const { status, text } = await client.request("POST", path, { body: object, headers: master });
    if (status !== 201) {
      throw new Error(`POST ${path}: ${status} ${text}`);
    }
  }
  // Aggregated roles are filled, and authorizers know of what was made, a moment later.
  await until("the editor may edit", async () => {
    const player = players.find(({ name }) => name === "editor") as Player;
    const { code } = await ask(client, player, { name: "", method: "GET", path: "/api/v1/namespaces/a/pods" });
    return code === 200;
  });
}

async function ask(client: ApiClient, player: Player, { method, path, body, type }: Question): Promise<Answered> {
  const headers = { ...credentials(player), ...(type === undefined ? {} : { "content-type": type }) };
  const answer = await client.request(method, path, { headers, ...(body === undefined ? {} : { body }) });
  const { status: code } = answer;
  return code >= 300
    ? answeredBy(answer)
    : path.includes("accessreviews")
      ? { code, says: answer.document["status"] }
      : { code };
}

/** The code, and of what is not done why. */
export function answeredBy({ status: code, text }: Pick<Answer, "status" | "text">): Answered {
  return code >= 300 ? { code, says: saidBy(text) } : { code };
}

function saidBy(text: string): unknown {
  try {
    const { message, reason, details } = JSON.parse(text) as JsonObject;
    return { message, reason, ...(details === undefined ? {} : { details }) };
  } catch {
    return text;
  }
}
