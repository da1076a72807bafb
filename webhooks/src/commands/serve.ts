import { type Command, defineFlags, parseArguments, runUntilSignal } from "@gatehouse/component-base";
import { conversionEndpoints } from "../conversion/conversion-endpoints.js";
import { admissionEndpoints } from "../hooks/admission-endpoints.js";
import { openLookup } from "../lookup/open-lookup.js";
import { startWebhookServer } from "../server/start-webhook-server.js";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";
import { loggerOf, servingFlags, servingOptions } from "./serving-flags.js";

const flags = defineFlags({
  ...hookFlags,
  ...servingFlags,
  kubeconfig: {
    type: "path",
    group: "Lookup",
    help: "kubeconfig `file` of the cluster whose objects hooks read. In a pod, its service account serves.",
  },
});

/** `gatehouse-admission [serve]`: serves hooks over HTTPS until a signal stops it. */
export const serveCommand: Command = {
  async run(argv, io) {
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
    const options = await servingOptions(values);
    const { hooks, converters } = await loadHooksOfFlags(values);
    const lookup = await openLookup({ hooks, kubeconfigFile: values.kubeconfig, logger, env: io.env });
    const server = await startWebhookServer({
      endpoints: [...admissionEndpoints(hooks, lookup), ...conversionEndpoints(converters)],
      ...options,
      readiness: lookup.readiness,
      logger,
    });
    await runUntilSignal({
      process: io.process,
      logger,
      deadlineMs: values["shutdown-grace"],
      tasks: [
        { name: "lookup", drain: () => lookup.close() },
        { name: "server", drain: (signal) => server.stop(signal) },
      ],
    });
    return 0;
  },
};
