import { writeFile } from "node:fs/promises";
import type { Command } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import type { CaseResult } from "../test/case-result.js";
import { formatJunit } from "../test/format-junit.js";
import { formatText } from "../test/format-text.js";
import { coveragePercent } from "../test/policy-coverage.js";
import { readCases, runCase } from "../test/run-cases.js";
import { testReport } from "../test/test-report.js";
import { readFolderArguments } from "./folder-arguments.js";

const group = "Report";

const ratcheting = "CRDValidationRatcheting";

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
    help: "`percent` of the results of its sub-expressions that the cases of each policy and definition must reach.",
  },
  "feature-gates": {
    type: "keyValue",
    group: "Server",
    help: "`gates` of the server that the cases are about: CRDValidationRatcheting=true lets unchanged parts of custom objects be invalid, and evaluates rules with optionalOldSelf without an old value.",
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

/** The command `gatehouse-policy test FOLDER`, which runs cases of policies and definitions without a server. */
export const testCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-policy test",
      operands: ["FOLDER"],
      summary:
        "Runs the cases (documents of kind PolicyCases) in a folder against the policies and the definitions of custom resources in it. Exits with 1 if one fails.",
      flags,
    };
    const given = await readFolderArguments(form, argv, io);
    if (given === undefined) {
      return 0;
    }
    const { operand, folder, values } = given;
    const cases = await readCases(folder);
    if (cases.length === 0) {
      // A folder in which nothing is found is a mistake, not a success.
      throw new ConfigurationError(operand, [problemAt("path", "there is no case: no document of kind PolicyCases")]);
    }
    const options = { ratchets: ratchetsOf(values["feature-gates"]) };
    const results: CaseResult[] = [];
    for (const item of cases) {
      results.push(await runCase(folder, item, options));
    }
    const report = testReport(folder, results, values["min-coverage"]);
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
    const isLow = report.tested.some(({ coverage }) => coveragePercent(coverage) < report.minCoverage);
    return isLow || results.some(({ failures }) => failures.length > 0) ? 1 : 0;
  },
};

/** Returns the state of the one gate that cases depend on. Throws ConfigurationError for others, and for other values. */
function ratchetsOf(gates: ReadonlyMap<string, string>): boolean {
  const problems = [...gates].flatMap(([name, value]) =>
    name !== ratcheting
      ? [problemAt("--feature-gates", `${name} is not known here: only ${ratcheting} changes what cases are about`)]
      : value !== "true" && value !== "false"
        ? [problemAt("--feature-gates", `${name} must be true or false`)]
        : [],
  );
  if (problems.length > 0) {
    throw new ConfigurationError("flags", problems);
  }
  return gates.get(ratcheting) === "true";
}
