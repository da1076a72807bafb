import { type Command, parseArguments } from "@gatehouse/component-base/commands";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { defineFlags } from "@gatehouse/component-base/flags";
import { problemAt } from "@gatehouse/component-base/problems";
import { type LogWitness, readWitnesses } from "../completeness/beside-log.js";
import { Sources } from "../completeness/sources.js";
import { type LogFault, type LogFindings, type VerifyRange, verifyLog } from "../completeness/verify-log.js";

const flags = defineFlags({
  "log-directory": { type: "path", group: "Log", help: "`folder` of the log (log.directory of the configuration)." },
  "index-directory": {
    type: "path",
    group: "Log",
    help: "`folder` of the index (index.directory of the configuration), to compare the end of the log with it.",
  },
  from: {
    type: "int",
    min: 0,
    group: "Range",
    help: "`position` of the first event. The oldest that is kept by default.",
  },
  to: { type: "int", min: 1, group: "Range", help: "`position` after the last event. The end of the log by default." },
  "expect-chain": {
    type: "string",
    group: "Range",
    help: "`hash` that an earlier verification up to the same position has printed: proves that nothing was changed since.",
  },
});

const chainPattern = /^[0-9a-f]{64}$/;

/** `gatehouse-audit verify`: exit code 0 when the range is whole and unaltered, 1 when it is not. */
export const verifyCommand: Command = {
  async run(argv, io) {
    const summary = "Proves that events of the log are whole and unaltered, or tells where they are not.";
    const line = parseArguments({ command: "gatehouse-audit verify", summary, flags }, argv, io);
    if (line === undefined) {
      return 0;
    }
    const {
      "log-directory": directory,
      "index-directory": indexDirectory,
      from,
      to,
      "expect-chain": expected,
    } = line.values;
    if (directory === undefined) {
      throw new ConfigurationError("flags", [problemAt("--log-directory", "is required")]);
    }
    if (from !== undefined && to !== undefined && from >= to) {
      throw new ConfigurationError("flags", [problemAt("--to", "must be greater than --from")]);
    }
    if (expected !== undefined && !chainPattern.test(expected)) {
      throw new ConfigurationError("flags", [problemAt("--expect-chain", "must be 64 hexadecimal digits")]);
    }
    const sources = new Sources();
    const findings = await verify(directory, indexDirectory, {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      onBatch({ sender, source, sequence, received, events }) {
        const count = received ?? events.length;
        sources.received(
          sender,
          source === undefined || sequence === undefined ? undefined : { source, sequence },
          count,
        );
      },
    });
    const missing = sources.report(0).missing;
    for (const text of [...faultsOf(findings, expected), ...missing.map(gapText)]) {
      io.print(text);
    }
    const unnumbered = [...sources.unnumberedBySender.values()].reduce((sum, events) => sum + events, 0);
    const isWhole = findings.faults.length === 0 && missing.length === 0 && isExpected(findings, expected);
    for (const text of summaryOf(findings, unnumbered, isWhole)) {
      io.print(text);
    }
    return isWhole ? 0 : 1;
  },
};

async function verify(
  logDirectory: string,
  indexDirectory: string | undefined,
  range: VerifyRange,
): Promise<LogFindings> {
  try {
    // Read first: the log of a sink that is running goes on.
    const witnesses = await readWitnesses({ logDirectory, indexDirectory });
    const findings = await verifyLog(logDirectory, range);
    return {
      ...findings,
      faults: [...findings.faults, ...witnesses.flatMap((each) => compare(each, findings, range))],
    };
  } catch (error) {
    if (error instanceof Error && "code" in error) {
      const isIndex = "path" in error && error.path === indexDirectory;
      const flag = isIndex ? "--index-directory" : "--log-directory";
      throw new ConfigurationError("flags", [problemAt(flag, `cannot be read (${String(error.code)})`)]);
    }
    throw error;
  }
}

/** Returns the fault that a file beside the log shows, if any. */
function compare({ file, position }: LogWitness, { end }: LogFindings, { to }: VerifyRange): readonly LogFault[] {
  if (position === undefined) {
    return [{ file, offset: 0, position: end, problem: "the file beside the log is damaged" }];
  }
  return to === undefined && position > end
    ? [{ file, offset: 0, position: end, problem: `the log ends here, but had reached position ${position}` }]
    : [];
}

function faultsOf({ faults, chain }: LogFindings, expected: string | undefined): readonly string[] {
  return [
    ...faults.map(({ file, offset, position, problem }) => {
      const place = file === "" ? "" : ` (${file}, byte ${offset})`;
      return `position ${position}: ${problem}${place}`;
    }),
    ...(expected === undefined || expected === chain ? [] : [`the chain is not the expected one, but ${chain}`]),
  ];
}

function isExpected({ chain }: LogFindings, expected: string | undefined): boolean {
  return expected === undefined || expected === chain;
}

function gapText({ sender, source, first, last }: ReturnType<Sources["report"]>["missing"][number]): string {
  const numbers = first === last ? `number ${first}` : `numbers ${first} to ${last}`;
  return `source ${JSON.stringify(source)} of sender ${JSON.stringify(sender)}: ${numbers} missing`;
}

function summaryOf(findings: LogFindings, unnumbered: number, isWhole: boolean): readonly string[] {
  const { first, end, chain, unfinishedBytes } = findings;
  return [
    ...(unfinishedBytes === 0
      ? []
      : [`${unfinishedBytes} bytes behind position ${end} are not finished, and were never acknowledged`]),
    ...(unnumbered === 0
      ? []
      : [`${unnumbered} events came without numbers: whether others are missing beside them cannot be told`]),
    ...(first === end
      ? ["there are no events"]
      : [`positions ${first} to ${end - 1}: ${isWhole ? "whole and unaltered" : "NOT whole"}`]),
    `chain ${chain}`,
  ];
}
