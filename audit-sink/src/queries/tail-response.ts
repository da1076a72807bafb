import type { ServerResponse } from "node:http";
import type { EventFilter } from "../index-store/event-filter.js";
import type { EventIndex, TailNews } from "../index-store/event-index.js";
import { itemPieces } from "./answer-events.js";

/** Bytes that may wait for a slow reader; what comes while there are more is skipped, and the reader is told how much. */
const maxWaitingBytes = 4 * 1024 * 1024;
/** An empty line goes out so often, so that both sides notice when the other one is gone. */
const heartbeatMs = 10_000;

/**
 * Answers with events as they come, one JSON document a line: events as on a page, and `{"skipped":3}` where so many
 * were left out. Empty lines mean nothing. Ends with the connection, or by the returned function.
 */
export function streamTail(index: EventIndex, filter: EventFilter, response: ServerResponse): () => void {
  let skipped = 0;
  response.writeHead(200, {
    "Content-Type": "application/x-ndjson",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  response.write("\n");
  const untail = index.tail(filter, (news: TailNews) => {
    if (response.writableLength > maxWaitingBytes) {
      skipped += news.events.length + news.skipped;
      return;
    }
    skipped += news.skipped;
    const pieces = news.events.flatMap((event) => [...itemPieces(event, ""), newline]);
    if (skipped > 0) {
      pieces.push(Buffer.from(`${JSON.stringify({ skipped })}\n`));
      skipped = 0;
    }
    response.write(Buffer.concat(pieces));
  });
  const heartbeat = setInterval(() => {
    if (response.writableLength === 0) {
      response.write("\n");
    }
  }, heartbeatMs);
  let isOver = false;
  const end = (): void => {
    if (!isOver) {
      isOver = true;
      clearInterval(heartbeat);
      untail();
      response.end();
    }
  };
  response.once("close", end);
  return end;
}

const newline = Buffer.from("\n");
