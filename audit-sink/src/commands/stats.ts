import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { SinkClient, sinkConfigOf } from "@gatehouse/component-base/sink-client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { queryOf, summaryFlags } from "../query-client/sink-flags.js";
import { bytesText, countText, textTable } from "../query-client/text-table.js";

const flags = defineFlags({
  top: { type: "int", default: 10, min: 1, max: 100, group: "Output", help: "Lines of each ranking." },
  ...summaryFlags,
});

/** `gatehouse-audit stats`: counts kept events. */
export const statsCommand: Command = {
  async run(argv, io) {
    const summary = "Counts kept events of a period, the last hour by default.";
    const line = parseArguments({ command: "gatehouse-audit stats", summary, flags }, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { top, output } = line.values;
    const query = queryOf(line.values);
    query.set("buckets", "1");
    query.set("top", String(top));
    using client = new SinkClient(await sinkConfigOf(line.values, io.env), "gatehouse-audit");
    const stats = await client.stats(query);
    if (output === "json") {
      io.print(JSON.stringify(stats, null, 2));
    } else {
      printStats(stats, io);
    }
    return 0;
  },
};

function printStats(stats: JsonObject, io: CommandIo): void {
  const total = Number(stats["total"]);
  const bytes = Number(stats["bytes"]);
  io.print(`${String(stats["from"])} to ${String(stats["to"])}: ${countText(total)} events, ${bytesText(bytes)}`);
  if (stats["complete"] !== true) {
    io.print(`There was too much to count: only what came after ${String(stats["countedFrom"])} was.`);
  }
  const { behind } = stats["index"] as { readonly behind: number };
  if (behind > 0) {
    io.print(`${countText(behind)} events are kept and not counted: the index has still to read them.`);
  }
  if (total === 0) {
    return;
  }
  printCounts("VERB", seriesOf(stats["byVerb"]), total, io);
  printCounts("OUTCOME", seriesOf(stats["byOutcome"]), total, io);
  const top = stats["top"] as JsonObject;
  printCounts("USER", rankingOf(top["user"]), total, io);
  printCounts("RESOURCE", rankingOf(top["resource"]), total, io);
}

type Counts = readonly (readonly [string, number])[];

function seriesOf(series: unknown): Counts {
  const counts = Object.entries(series as Record<string, readonly number[]>).map(([name, buckets]) => {
    return [name, buckets.reduce((sum, count) => sum + count, 0)] as const;
  });
  return counts.sort(([, a], [, b]) => b - a);
}

function rankingOf(ranking: unknown): Counts {
  return (ranking as readonly { value: string; count: number }[]).map(({ value, count }) => [
    value === "" ? "(none)" : value,
    count,
  ]);
}

function printCounts(head: string, counts: Counts, total: number, io: CommandIo): void {
  const rows = counts.map(([name, count]) => [name, countText(count), `${((100 * count) / total).toFixed(1)}%`]);
  io.print("");
  for (const text of textTable([head, "EVENTS", "SHARE"], rows, new Set([1, 2]))) {
    io.print(text);
  }
}
