import {
  type CommandIo,
  ConfigurationError,
  createMetricsRegistry,
  defineFlags,
  problemAt,
  runExpectingErrors,
  runUntilSignal,
} from "@gatehouse/component-base";
import { parseArguments } from "../commands/parse-arguments.js";
import { loggerOf, servingFlags, servingOptions } from "../commands/serving-flags.js";
import { startWebhookServer } from "../server/start-webhook-server.js";
import { ImageDecisions } from "./decide-images.js";
import { imageReviewEndpoint } from "./image-review-endpoint.js";
import { openReloadingRules } from "./reloading-rules.js";

const program = "gatehouse-image-review";

const flags = defineFlags({
  config: {
    type: "path",
    group: "Rules",
    help: "`file` of kind ImageRules (config.gatehouse.dev/v1alpha1): which images may be used. Followed as it is replaced.",
  },
  path: { type: "string", default: "/review", group: "Rules", help: "`path` to which API servers post their reviews." },
  ...servingFlags,
});

/** Runs the program `gatehouse-image-review` until a signal stops it; resolves to the exit code. */
export function runImageReview(argv: readonly string[], io: CommandIo): Promise<number> {
  return runExpectingErrors(program, io, () => serve(argv, io));
}

async function serve(argv: readonly string[], io: CommandIo): Promise<number> {
  const summary = "Reviews the images of pods for API servers, by rules.";
  const line = parseArguments({ command: program, summary, flags }, argv, io);
  if (line === undefined) {
    return 0;
  }
  const { values } = line;
  const logger = loggerOf(values, program);
  const { config, path } = values;
  if (config === undefined) {
    throw new ConfigurationError("flags", [problemAt("--config", "is required")]);
  }
  if (!/^\/[^?#\s]*$/.test(path)) {
    throw new ConfigurationError("flags", [problemAt("--path", "must begin with a slash")]);
  }
  const options = await servingOptions(values);
  const rules = await openReloadingRules({ file: config, logger });
  const metrics = createMetricsRegistry({ processMetrics: true });
  const decisions = new ImageDecisions({ metrics });
  const endpoint = await imageReviewEndpoint({ decisions, rules: () => rules.current, path });
  const server = await startWebhookServer({ ...options, endpoints: [endpoint], metrics, logger });
  await runUntilSignal({
    process: io.process,
    logger,
    deadlineMs: values["shutdown-grace"],
    tasks: [
      { name: "rules", drain: async () => rules[Symbol.dispose]() },
      { name: "server", drain: (signal) => server.stop(signal) },
    ],
  });
  return 0;
}
