import { type Command, type CommandIo, parseArguments } from "../commands/index.js";
import { ConfigurationError } from "../errors.js";
import type { FlagTable, FlagValues } from "../flags/index.js";
import { formatReport, isRefused } from "../manifests/index.js";
import { type Problem, problemAt } from "../problems/index.js";
import { checkFlags } from "./check-flags.js";
import type { ManifestJudge } from "./judgement.js";
import { readInputs } from "./read-inputs.js";
import { withWarningsAsErrors } from "./report-judgement.js";

/** A command that checks manifests: how it is called, and who judges. */
export interface CheckForm<T extends FlagTable> {
  /** The words of the command: `gatehouse check`. */
  readonly command: string;
  /** The judgement in a sentence or two; how it ends is added. */
  readonly summary: string;
  /** Flags of the judge. Those of the check are added. */
  readonly flags: T;
  /** Lists what is wrong with flags that each are well-formed. Default: nothing. */
  readonly problemsOf?: (values: FlagValues<T>) => readonly Problem[];
  /** Loads once what judges all checks of a run. Rejects with ConfigurationError for mistakes of the user. */
  readonly loadJudge: (values: FlagValues<T>, io: CommandIo) => Promise<ManifestJudge>;
}

type CheckValues = FlagValues<typeof checkFlags>;

const exitCodes = "Exit code 0: all would be taken; 1: one would be refused; 2: the check could not be made.";

/**
 * Makes a command that reads manifests from files, folders and standard input, has them judged, once or after each change, and
 * reports in any form. Its exit code is 1 when an object would be refused, and 2 when the check could not be made.
 */
export function manifestCheckCommand<T extends FlagTable>(form: CheckForm<T>): Command {
  const { command, flags, loadJudge } = form;
  const commandForm = {
    command,
    operands: ["PATH..."],
    summary: `${form.summary} ${exitCodes}`,
    flags: { ...flags, ...checkFlags },
  };
  return {
    errorCode: 2,
    async run(argv, io) {
      const line = parseArguments(commandForm, argv, io);
      if (line === undefined) {
        return 0;
      }
      const paths = line.operands;
      // The values of a union of tables are those of each; TypeScript cannot tell for a table that it does not know.
      const values = line.values as FlagValues<T> & CheckValues;
      refuseUnusable(paths, values, form.problemsOf?.(values) ?? []);
      const judge = await loadJudge(values, io);
      const checkOnce = (): Promise<number> => check({ paths, command, judge, values, io });
      return values.watch
        ? await (await import("./check-on-changes.js")).checkOnChanges(paths, checkOnce, io)
        : await checkOnce();
    },
  };
}

function refuseUnusable(paths: readonly string[], { watch }: CheckValues, ofJudge: readonly Problem[]): void {
  const problems = [
    ...ofJudge,
    ...(watch && paths.includes("-") ? [problemAt("--watch", "standard input has no changes to watch")] : []),
  ];
  if (problems.length > 0) {
    throw new ConfigurationError("flags", problems);
  }
}

interface Check {
  readonly paths: readonly string[];
  readonly command: string;
  readonly judge: ManifestJudge;
  readonly values: CheckValues;
  readonly io: CommandIo;
}

async function check({ paths, command, judge, values, io }: Check): Promise<number> {
  const inputs = await readInputs(paths, command);
  if (inputs.documents.length === 0) {
    // A check without manifests would pass unnoticed, for example after its folder has moved.
    const reasons = inputs.skipped.map(({ file, line, reason }) => problemAt(`${file}:${line}`, reason));
    throw new ConfigurationError(paths.join(", "), [problemAt("PATH", "there is no manifest to check"), ...reasons]);
  }
  const judged = await judge(inputs);
  const report = values["warnings-as-errors"] ? withWarningsAsErrors(judged) : judged;
  io.print(formatReport(report, values.output));
  return report.checked.some(isRefused) ? 1 : 0;
}
