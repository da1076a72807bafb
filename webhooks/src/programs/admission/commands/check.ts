import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { defineFlags } from "@gatehouse/component-base/flags";
import { checkManifests } from "../check/check-manifests.js";
import { formatReport, reportFormats } from "../check/format-report.js";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";

const flags = defineFlags({
  ...hookFlags,
  output: {
    type: "string",
    default: "text",
    choices: reportFormats,
    shorthand: "o",
    group: "Report",
    help: "text for people, junit (XML) or sarif (2.1.0) for what reads them.",
  },
});

/** The command `gatehouse-admission check DIR`, which puts manifests to the hooks before a server sees them. */
export const checkCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission check",
      operands: ["DIR"],
      summary: "Puts the manifests in a folder to the hooks, for CI. Exits with 1 if one would be refused.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    const [operand] = line?.operands ?? [];
    if (line === undefined || operand === undefined) {
      return 0;
    }
    const { hooks, expired } = await loadHooksOfFlags(line.values);
    for (const exception of expired) {
      io.printError(
        `${line.values.config}: ${exception.path}: expired at ${exception.expired}, so it excepts nothing: ${exception.reason}`,
      );
    }
    const report = await checkManifests(hooks, operand);
    io.print(formatReport(report, line.values.output));
    return report.findings.some(({ level }) => level === "error") ? 1 : 0;
  },
};
