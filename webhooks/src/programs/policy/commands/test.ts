import { writeFile } from "node:fs/promises";
import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { readPolicyFolder } from "../policies/policy-folder.js";
import type { CaseResult } from "../test/case-result.js";
import { formatJunit } from "../test/format-junit.js";
import { formatText } from "../test/format-text.js";
import { coveragePercent, policyCoverage } from "../test/policy-coverage.js";
import { readCases, runCase } from "../test/run-cases.js";

const group = "Report";

const flags = defineFlags({
  verbose: {
    type: "bool",
    shorthand: "v",
    group,
    help: "Show variables and cost of the cases that have passed, too.",
  },
  coverage: {
    type: "bool",
    group,
    help: "Show the sub-expressions that were never true, never false or never evaluated.",
  },
  "min-coverage": {
    type: "int",
    default: 0,
    min: 0,
    max: 100,
    group,
    help: "`percent` of the results of its sub-expressions that the cases of each policy must reach.",
  },
  output: {
    type: "string",
    default: "text",
    choices: ["text", "junit"],
    shorthand: "o",
    group,
    help: "text for people, or junit (XML) for what reads it.",
  },
  "output-file": { type: "path", group, help: "`file` to write the report to, in place of the standard output." },
});

/** The command `gatehouse-policy test FOLDER`, which runs cases of policies without a server. */
export const testCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-policy test",
      operands: ["FOLDER"],
      summary:
        "Runs the cases (documents of kind PolicyCases) in a folder against the policies in it. Exits with 1 if one fails.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    const [operand] = line?.operands ?? [];
    if (line === undefined || operand === undefined) {
      return 0;
    }
    const { values } = line;
    const folder = await readPolicyFolder(operand);
    const cases = await readCases(folder);
    if (cases.length === 0) {
      // A folder in which nothing is found is a mistake, not a success.
      throw new ConfigurationError(operand, [problemAt("path", "there is no case: no document of kind PolicyCases")]);
    }
    const results: CaseResult[] = [];
    for (const item of cases) {
      results.push(await runCase(folder, item));
    }
    const { policies } = folder;
    const coverages = policies.map(policyCoverage);
    const minCoverage = values["min-coverage"];
    const report = { policies, results, coverages, minCoverage };
    const text =
      values.output === "junit"
        ? formatJunit(report)
        : formatText(report, { isVerbose: values.verbose, showsCoverage: values.coverage });
    const file = values["output-file"];
    if (file === undefined) {
      io.print(text);
    } else {
      await writeFile(file, `${text}\n`);
    }
    const isLow = coverages.some((coverage) => coveragePercent(coverage) < minCoverage);
    return isLow || results.some(({ failures }) => failures.length > 0) ? 1 : 0;
  },
};
