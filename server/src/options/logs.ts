import type { FeatureGates } from "@gatehouse/apiserver/options";
import type { FlagTable, FlagValues } from "@gatehouse/component-base/flags";
import { type Problem, problemAt } from "@gatehouse/component-base/problems";

const group = "Logs";

/** The flags of the log, named as kube-apiserver names them. */
export const logFlags = {
  v: {
    type: "int",
    shorthand: "v",
    default: 0,
    min: 0,
    max: 2_147_483_647,
    group,
    help: "Log verbosity. From 3 on, debug lines are written, one of them for each request. Changed by PUT /debug/flags/v while the server runs.",
  },
  "logging-format": {
    type: "string",
    default: "text",
    choices: ["text", "json"],
    group,
    help: "Form of the log.",
  },
  "log-json-split-stream": {
    type: "bool",
    group,
    help: "Write errors to standard error and everything else to standard output. Not supported.",
  },
  "log-json-info-buffer-size": {
    type: "string",
    default: "0",
    group,
    help: "`bytes` by which lines on standard output are buffered. Not supported.",
  },
  "enable-logs-handler": {
    type: "bool",
    default: true,
    group,
    deprecated: "This flag will be removed in v1.19",
    help: "Serve the files of /var/log at /logs.",
  },
} as const satisfies FlagTable;

/** Checks the flags of the log. Adds problems. */
export function checkLogs(flags: FlagValues<typeof logFlags>, gates: FeatureGates, problems: Problem[]): void {
  const refuse = (flag: string, path: string): void => {
    const reason = gates.enabled("LoggingAlphaOptions")
      ? "is not supported: the log is one stream, standard error, and not buffered"
      : `${path}: Forbidden: Feature LoggingAlphaOptions is disabled`;
    problems.push(problemAt(flag, reason));
  };
  if (flags["logging-format"] === "json" && !gates.enabled("LoggingBetaOptions")) {
    const reason = "format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature";
    problems.push(problemAt("--logging-format", reason));
  }
  if (flags["log-json-split-stream"]) {
    refuse("--log-json-split-stream", "options.json.splitStream");
  }
  if (!/^[+-]?0+[A-Za-z]*$/.test(flags["log-json-info-buffer-size"])) {
    refuse("--log-json-info-buffer-size", "options.json.infoBufferSize");
  }
}
