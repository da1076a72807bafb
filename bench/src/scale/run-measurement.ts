import { basename } from "node:path";
import { type FlagTable, type FlagValues, formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems } from "@gatehouse/component-base/problems";
import { type BenchEnvironment, openBenchEnvironment } from "../bench-environment.js";
import { describeMachine } from "../machine.js";

/** A row of a table that is printed. */
export type Row = Readonly<Record<string, number>>;

/**
 * Runs a program of this folder: reads its command line, prints the machine, each row as soon as it is measured, and all of them
 * as a table. Sets the exit code to 1 for a command line that cannot be read.
 */
export async function runMeasurement<T extends FlagTable>(
  flags: T,
  summary: string,
  rows: (environment: BenchEnvironment, values: FlagValues<T>) => AsyncIterable<Row>,
): Promise<void> {
  const parsed = parseFlags(flags, process.argv.slice(2));
  if (parsed.outcome === "invalid") {
    process.stderr.write(formatProblems(parsed.problems));
    process.exitCode = 1;
    return;
  }
  if (parsed.outcome !== "run") {
    const command = `node bench/dist/scale/${basename(process.argv[1] ?? "")}`;
    process.stdout.write(formatHelp(flags, { command, summary }));
    return;
  }
  process.stdout.write(`${describeMachine()}\n`);
  await using environment = await openBenchEnvironment({
    quick: false,
    auditEvents: 0,
    sinkSeconds: 0,
    rounds: undefined,
    serverNodeOptions: [],
    peer: undefined,
    peerEtcd: undefined,
    peerPair: undefined,
    expressionPeer: undefined,
    etcd: undefined,
    parentDirectory: undefined,
  });
  const table: Row[] = [];
  for await (const row of rows(environment, parsed.values)) {
    process.stdout.write(`${JSON.stringify(row)}\n`);
    table.push(row);
  }
  console.table(table);
}

/** Returns the numbers of a flag, or others when it is not given. */
export function numbersOf(texts: readonly string[], otherwise: readonly number[]): readonly number[] {
  return texts.length === 0 ? otherwise : texts.map(Number);
}
