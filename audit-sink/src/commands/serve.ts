import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { createLogger } from "@gatehouse/component-base/logs";
import { problemAt } from "@gatehouse/component-base/problems";
import { runUntilSignal } from "@gatehouse/component-base/shutdown";
import { readConfig } from "../config/read-config.js";
import { startSink } from "../sink.js";

const program = "gatehouse-audit-sink";

const flags = defineFlags({
  config: {
    type: "path",
    group: "Sink",
    help: "`file` of kind AuditSinkConfiguration (config.gatehouse.dev/v1alpha1): who sends, who reads, where events go.",
  },
  port: {
    type: "int",
    min: 0,
    max: 65_535,
    group: "Sink",
    help: "Port to listen on instead of the configured one; 0 picks a free one.",
  },
  "shutdown-grace": {
    type: "duration",
    default: "30s",
    min: 0,
    group: "Sink",
    help: "How long requests and deliveries under way may go on after SIGTERM.",
  },
  "logging-format": {
    type: "string",
    default: "json",
    choices: ["json", "text"],
    group: "Logs",
    help: "json for machines, text for people.",
  },
  v: { type: "int", default: 2, min: 0, max: 10, group: "Logs", help: "Verbosity; from 4 on, debugging." },
});

/** `gatehouse-audit serve`, and all that `gatehouse-audit-sink` does: takes events in until a signal stops it. */
export const serveCommand: Command = {
  async run(argv, io) {
    const summary = "Takes audit events in over HTTPS, keeps them, and delivers them.";
    const line = parseArguments({ command: program, summary, flags }, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { config: file, port, v, "logging-format": format, "shutdown-grace": deadlineMs } = line.values;
    if (file === undefined) {
      throw new ConfigurationError("flags", [problemAt("--config", "is required")]);
    }
    const logger = createLogger({ name: program, level: v >= 4 ? "debug" : "info", format });
    const config = await readConfig(file);
    const serving = { ...config.serving, ...(port !== undefined && { port }) };
    const sink = await startSink({ ...config, serving }, logger);
    await runUntilSignal({ process: io.process, logger, deadlineMs, tasks: sink.parts });
    return 0;
  },
};
