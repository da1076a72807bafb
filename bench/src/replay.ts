import type { Answer } from "./processes/api-client.js";

/** Headers that Node's server writes of itself. */
const ownHeaders = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);

/** The headers of an answer, for a bare server that is to send the same bytes. */
export function headersToReplay(answer: Answer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers)) {
    if (!ownHeaders.has(name)) {
      headers[name] = String(value);
    }
  }
  return headers;
}
