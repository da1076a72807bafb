import { type CommandIo, progressBar } from "@gatehouse/component-base/commands";
import type { SinkClient } from "@gatehouse/component-base/sink-client";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { EventSpool } from "./event-spool.js";

/** The verbs of requests that policies may be about. */
const verbs = ["create", "update", "patch", "delete", "deletecollection"];

/** The earliest time of which a sink can have events. */
const beginning = "1970-01-01";

/**
 * Yields the writes that a sink keeps, oldest first, as it has them at the beginning. The sink tells them latest first, so
 * they are all read before the first is yielded. `period` has the parameters `from` and `to`, as far as they are given.
 */
export async function* eventsOfSink(
  client: SinkClient,
  period: URLSearchParams,
  io: CommandIo,
): AsyncGenerator<auditV1.Event, void> {
  const query = new URLSearchParams(period);
  for (const verb of verbs) {
    query.append("verb", verb);
  }
  // Each event is read, and then replayed.
  const progress = progressBar(2 * (await countOf(client, query, io)), io);
  await using spool = await EventSpool.open();
  for await (const { event } of client.events(query, undefined)) {
    await spool.add(event);
    progress.advance(1);
  }
  for await (const event of spool.oldestFirst()) {
    yield event;
    progress.advance(1);
  }
}

/** Returns the number of events; 0 where no progress is shown. */
async function countOf(client: SinkClient, query: URLSearchParams, io: CommandIo): Promise<number> {
  if (io.showProgress === undefined) {
    return 0;
  }
  const counted = new URLSearchParams(query);
  if (!counted.has("from")) {
    counted.set("from", beginning);
  }
  return Number((await client.stats(counted))["total"]);
}
