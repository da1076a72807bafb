import { createHash } from "node:crypto";
import { isJsonObject } from "@gatehouse/envelopes/json";
import type { EventPlace } from "../index-store/find-events.js";

/** Returns a hash of the query except page size and cursor; a cursor is valid only for the query with its hash. */
export function questionHash(query: URLSearchParams): string {
  const members = [...query].filter(([name]) => name !== "cursor" && name !== "limit").sort();
  return createHash("sha256").update(JSON.stringify(members)).digest("base64url").slice(0, 12);
}

/** A place in the answers to a question, as a text that means nothing to whoever carries it. */
export function encodeCursor({ timeUs, position }: EventPlace, question: string): string {
  return Buffer.from(JSON.stringify({ t: timeUs, p: position, q: question })).toString("base64url");
}

/** The place; or what is wrong with the cursor, as a text. */
export function decodeCursor(cursor: string, question: string): EventPlace | string {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return "is not one that was given here";
  }
  if (!isJsonObject(content) || !Number.isSafeInteger(content["p"]) || typeof content["t"] !== "number") {
    return "is not one that was given here";
  }
  return content["q"] === question
    ? { timeUs: content["t"], position: Number(content["p"]) }
    : "belongs to a question with other parameters";
}
