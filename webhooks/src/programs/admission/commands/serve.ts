import { type Command, type CommandIo, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { runUntilSignal } from "@gatehouse/component-base/shutdown";
import { logExpired } from "../../../toolkit/config/expired-exceptions.js";
import { conversionEndpoints } from "../../../toolkit/conversion/conversion-endpoints.js";
import { admissionEndpoints } from "../../../toolkit/hooks/admission-endpoints.js";
import { openLookup } from "../../../toolkit/lookup/open-lookup.js";
import { startWebhookServer } from "../../../toolkit/server/start-webhook-server.js";
import { loggerOf, servingFlags, servingOptions } from "../../serving-flags.js";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";

const flags = defineFlags({
  ...hookFlags,
  ...servingFlags,
  kubeconfig: {
    type: "path",
    group: "Lookup",
    help: "kubeconfig `file` of the cluster whose objects hooks read. In a pod, its service account serves.",
  },
});

/** Options of `serve()`: a callback once it listens, and a signal that ends it. */
interface ServeOptions {
  readonly onListening?: () => void;
  readonly stop?: AbortSignal;
}

/** The command `gatehouse-admission [serve]`, which serves hooks over HTTPS until a signal stops it. */
export const serveCommand: Command = {
  run: (argv, io) => serve(argv, io),
};

/** Serves hooks over HTTPS until a signal of the process, or `stop`, ends it; resolves to the exit code. */
export async function serve(argv: readonly string[], io: CommandIo, options: ServeOptions = {}): Promise<number> {
  const form = {
    command: "gatehouse-admission serve",
    summary: "Serves admission hooks and converters over HTTPS.",
    flags,
  };
  const line = parseArguments(form, argv, io);
  if (line === undefined) {
    return 0;
  }
  const { values } = line;
  const logger = loggerOf(values, "gatehouse-admission");
  const serving = await servingOptions(values);
  const { hooks, converters, expired } = await loadHooksOfFlags(values);
  logExpired(logger, values.config, expired);
  const lookup = await openLookup({ hooks, kubeconfigFile: values.kubeconfig, logger, env: io.env });
  const server = await startWebhookServer({
    endpoints: [...admissionEndpoints(hooks, lookup), ...conversionEndpoints(converters)],
    ...serving,
    readiness: lookup.readiness,
    logger,
  });
  options.onListening?.();
  await runUntilSignal({
    process: io.process,
    logger,
    deadlineMs: values["shutdown-grace"],
    ...(options.stop === undefined ? {} : { stop: options.stop }),
    tasks: [
      { name: "lookup", drain: () => lookup.close() },
      { name: "server", drain: (signal) => server.stop(signal) },
    ],
  });
  return 0;
}
