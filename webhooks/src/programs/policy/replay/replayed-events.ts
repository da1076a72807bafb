import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { eventsOfFile } from "@gatehouse/component-base/audit-files";
import type { CommandIo } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import type { FlagValues } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { type periodFlags, SinkClient, sinkConfigOf, type sinkFlags } from "@gatehouse/component-base/sink-client";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { eventsOfSink } from "./events-of-sink.js";

/** The flags of a sink except the one for its address. */
export type SinkAccess = Omit<FlagValues<typeof sinkFlags>, "server"> & FlagValues<typeof periodFlags>;

/**
 * Yields the events of a file, of the files of a folder in the order of their names, or of a sink; of the standard input for
 * `-`. Without `audit`, the sink is the one that a kubeconfig names. Shows the progress.
 */
export async function* replayedEvents(
  audit: string | undefined,
  access: SinkAccess,
  io: CommandIo,
): AsyncGenerator<auditV1.Event, void> {
  if (audit === undefined || isAddress(audit)) {
    using client = new SinkClient(await configOf(audit, access, io), "gatehouse-policy");
    yield* eventsOfSink(client, periodOf(access), io);
    io.showProgress?.("");
    return;
  }
  refuseSinkFlags(audit, access);
  for (const file of await auditFiles(audit)) {
    for await (const { event } of eventsOfFile(file, io, "--audit")) {
      yield event;
    }
    io.showProgress?.("");
  }
}

function isAddress(audit: string): boolean {
  return /^\w+:\/\//.test(audit);
}

function configOf(audit: string | undefined, access: SinkAccess, { env }: CommandIo): ReturnType<typeof sinkConfigOf> {
  return sinkConfigOf({ ...access, server: audit, serverFlag: "--audit" }, env);
}

function periodOf({ from, to }: SinkAccess): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ from, to })) {
    if (value !== undefined) {
      query.set(name, value);
    }
  }
  return query;
}

/** Refuses flags of a sink beside files, which would have no effect. */
function refuseSinkFlags(audit: string, access: SinkAccess): void {
  const { kubeconfig, from, to } = access;
  const given = {
    kubeconfig,
    from,
    to,
    "token-file": access["token-file"],
    "certificate-authority": access["certificate-authority"],
    "client-certificate": access["client-certificate"],
    "client-key": access["client-key"],
  };
  const problems = Object.entries(given).flatMap(([flag, value]) =>
    value === undefined
      ? []
      : [problemAt(`--${flag}`, `is for sinks, and ${audit} is no address such as https://localhost:8447`)],
  );
  if (problems.length > 0) {
    throw new ConfigurationError("flags", problems);
  }
}

/** Lists the files of a folder in the order of their names, by which servers order them when they rotate; or the file. */
async function auditFiles(path: string): Promise<readonly string[]> {
  const found = path === "-" ? undefined : await stat(path).catch(() => undefined);
  if (found?.isDirectory() !== true) {
    return [path];
  }
  const names = (await readdir(path)).filter((name) => /\.(?:log|jsonl|json|ndjson)(?:\.gz)?$/.test(name)).sort();
  if (names.length === 0) {
    throw new ConfigurationError("flags", [problemAt("--audit", `${path} has no file of events (.log, .jsonl, .gz)`)]);
  }
  return names.map((name) => join(path, name));
}
