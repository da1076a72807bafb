import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { listDocumentFiles, readDocuments } from "@gatehouse/component-base/manifests";
import { problemAt } from "@gatehouse/component-base/problems";
import { type CaseResult, runCase } from "../cases/run-case.js";
import { hookFlags, loadHooksOfFlags } from "./hook-flags.js";

const flags = defineFlags({ ...hookFlags });

/** The command `gatehouse-admission test DIR`, which runs a folder of cases and reports like a test runner. */
export const testCommand: Command = {
  async run(argv, io) {
    const form = {
      command: "gatehouse-admission test",
      operands: ["DIR"],
      summary: "Runs the cases (documents of kind HookCase) in a folder against the hooks. Exits with 1 if one fails.",
      flags,
    };
    const line = parseArguments(form, argv, io);
    const [operand] = line?.operands ?? [];
    if (line === undefined || operand === undefined) {
      return 0;
    }
    const { hooks } = await loadHooksOfFlags(line.values);
    const results: CaseResult[] = [];
    for (const file of await listDocumentFiles(operand)) {
      for (const source of await readDocuments(file)) {
        const result = await runCase(hooks, source);
        results.push(result);
        io.print(`${result.failures.length === 0 ? "ok" : "not ok"} ${results.length} - ${result.name}`);
        for (const failure of result.failures) {
          io.print(`  ${result.file}:${result.line}: ${failure}`);
        }
      }
    }
    if (results.length === 0) {
      // A folder in which nothing is found is a mistake, not a success.
      const text = "there is no case: no YAML or JSON document of kind HookCase";
      throw new ConfigurationError(operand, [problemAt("path", text)]);
    }
    const failed = results.filter(({ failures }) => failures.length > 0).length;
    io.print(`1..${results.length}\n# pass ${results.length - failed}\n# fail ${failed}`);
    return failed > 0 ? 1 : 0;
  },
};
