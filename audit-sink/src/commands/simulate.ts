import { readFile } from "node:fs/promises";
import { eventsOfFile } from "@gatehouse/component-base/audit-files";
import { type Command, type CommandIo, parseArguments, progressBar } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { SinkClient, sinkConfigOf } from "@gatehouse/component-base/sink-client";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { parseAuditPolicy } from "@gatehouse/policies/audit";
import { VolumeForecast } from "@gatehouse/policies/audit-volume";
import { forecastLines } from "../query-client/forecast-lines.js";
import { queryOf, summaryFlags } from "../query-client/sink-flags.js";

const flags = defineFlags({
  file: {
    type: "path",
    group: "Events",
    help: "`file` of JSON lines, packed by gzip or not, instead of what a sink keeps. - reads the standard input.",
  },
  ...summaryFlags,
});

/** `gatehouse-audit simulate POLICY`: what a policy would have made of kept events. */
export const simulateCommand: Command = {
  async run(argv, io) {
    const summary = "Tells what an audit policy would have recorded of kept events, by rule: events and bytes a day.";
    const form = { command: "gatehouse-audit simulate", operands: ["POLICY"], summary, flags };
    const line = parseArguments(form, argv, io);
    if (line === undefined) {
      return 0;
    }
    const policy = await readPolicy(line.operands[0] as string, io);
    const forecast = new VolumeForecast(policy);
    const { file, output } = line.values;
    if (file === undefined) {
      using client = new SinkClient(await sinkConfigOf(line.values, io.env), "gatehouse-audit");
      await observeKept(client, queryOf(line.values), forecast, io);
    } else {
      for await (const { event, bytes } of eventsOfFile(file, io)) {
        forecast.observe(event, bytes);
      }
    }
    io.showProgress?.("");
    const report = forecast.report();
    if (output === "json") {
      io.print(JSON.stringify(report, null, 2));
    } else {
      for (const text of forecastLines(report, policy)) {
        io.print(text);
      }
    }
    return 0;
  },
};

async function readPolicy(path: string, io: CommandIo): Promise<auditV1.Policy> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(path, [problemAt("file", `cannot be read (${error.code})`)]);
  });
  const reading = await parseAuditPolicy(text);
  for (const warning of reading.warnings) {
    io.printError(`${path}: ${warning}`);
  }
  if (reading.policy === undefined) {
    throw new ConfigurationError(
      path,
      reading.errors.map((error) => problemAt("policy", error)),
    );
  }
  return reading.policy;
}

async function observeKept(
  client: SinkClient,
  query: URLSearchParams,
  forecast: VolumeForecast,
  io: CommandIo,
): Promise<void> {
  const period = new URLSearchParams(query);
  if (!period.has("from")) {
    period.set("from", "1970-01-01");
  }
  const total = io.showProgress === undefined ? 0 : Number((await client.stats(period))["total"]);
  const progress = progressBar(total, io);
  for await (const { event } of client.events(query, undefined)) {
    forecast.observe(event, Buffer.byteLength(JSON.stringify(event)));
    progress.advance(1);
  }
}
