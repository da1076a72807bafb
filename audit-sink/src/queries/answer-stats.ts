import type { JsonObject } from "@gatehouse/envelopes/json";
import type { EventIndex } from "../index-store/event-index.js";
import { QueryParameters } from "./query-parameters.js";

const usPerHour = 3_600_000_000;

/** `GET /api/stats`: counts of events over a period, of the last hour if none is asked for. */
export async function answerStats(index: EventIndex, query: URLSearchParams, nowMs: number): Promise<JsonObject> {
  const parameters = new QueryParameters(query, ["buckets", "top", "rank"], nowMs);
  const filter = parameters.filter();
  const buckets = parameters.count("buckets", 60, 500);
  const top = parameters.count("top", 10, 100);
  const rank = parameters.fields("rank");
  const toUs = filter.toUs ?? nowMs * 1000;
  const fromUs = filter.fromUs ?? toUs - usPerHour;
  if (fromUs >= toUs) {
    parameters.refuse("from", "must be earlier than now");
  }
  parameters.assertValid();
  const summary = await index.summarise(filter, {
    fromUs,
    toUs,
    buckets,
    top,
    ...(rank.length === 0 ? {} : { rank }),
  });
  const { events, bytes, oldestUs, position, behind } = index.status;
  return {
    from: timeText(summary.fromUs),
    to: timeText(summary.toUs),
    bucketSeconds: summary.bucketUs / 1_000_000,
    complete: summary.complete,
    countedFrom: timeText(summary.countedFromUs),
    total: summary.total,
    bytes: summary.bytes,
    byVerb: mutable(summary.byVerb),
    byOutcome: mutable(summary.byOutcome),
    top: Object.fromEntries(
      Object.entries(summary.top).map(([field, ranking]) => [field, ranking.map((ranked) => ({ ...ranked }))]),
    ),
    index: { events, bytes, position, behind, ...(oldestUs === undefined ? {} : { oldest: timeText(oldestUs) }) },
  };
}

function timeText(us: number): string {
  return new Date(us / 1000).toISOString();
}

function mutable(series: Readonly<Record<string, readonly number[]>>): JsonObject {
  return Object.fromEntries(Object.entries(series).map(([name, counts]) => [name, [...counts]]));
}
