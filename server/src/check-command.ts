import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { versionLine } from "@gatehouse/apiserver/discovery";
import { checkData, type DataReport, dataFileName } from "@gatehouse/apiserver/storage/lmdb";
import { withWordsAsFlags } from "@gatehouse/component-base/commands";
import { formatHelp, type PathFlag, parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems } from "@gatehouse/component-base/problems";
import { serverFlags } from "./flags.js";

/** Exit codes of the check: no damage, some damage, or unreadable data. */
export const checkExitCodes = { whole: 0, damaged: 1, unreadable: 2 } as const;

/** The outputs of a check, written a line at a time. */
export interface CheckOutput {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** The program that a check is a command of. */
export interface CheckProgram {
  readonly command: string;
  readonly dataDirectoryFlag: PathFlag & { readonly default: string };
}

const serverProgram: CheckProgram = {
  command: "gatehouse-apiserver check",
  dataDirectoryFlag: serverFlags["data-dir"],
};

/**
 * Runs `gatehouse-apiserver check --data-dir DIR`: reads everything in a data directory, changes nothing, and reports
 * damage. Returns the exit code.
 */
export function runCheck(
  argv: readonly string[],
  { out, err }: CheckOutput,
  { command, dataDirectoryFlag }: CheckProgram = serverProgram,
): number {
  const checkFlags = { "data-dir": dataDirectoryFlag } as const;
  const parsed = parseFlags(checkFlags, withWordsAsFlags(argv));
  if (parsed.outcome === "help") {
    out(formatHelp(checkFlags, { command, summary }).trimEnd());
    return checkExitCodes.whole;
  }
  if (parsed.outcome === "version") {
    out(versionLine);
    return checkExitCodes.whole;
  }
  if (parsed.outcome === "invalid") {
    err(formatProblems(parsed.problems).trimEnd());
    return checkExitCodes.unreadable;
  }
  const directory = parsed.values["data-dir"];
  const path = join(directory, dataFileName);
  const report = readReport(directory, path);
  if (typeof report === "string") {
    err(`${directory} cannot be checked: ${report}`);
    return checkExitCodes.unreadable;
  }
  const isWhole = report.damagedKeys.length === 0 && report.problems.length === 0;
  if (!isWhole && report.wasWritten) {
    err(`${directory} is being written by a server, so what looks damaged may be new; stop the server and check again`);
    return checkExitCodes.unreadable;
  }
  if (isOpenElsewhere(directory)) {
    err(`a server has ${directory} open; this tells of the moment when the check began`);
  }
  printReport(directory, report, out);
  return isWhole ? checkExitCodes.whole : checkExitCodes.damaged;
}

const summary = `Tells what is whole and what is damaged in a data directory. Exit code ${checkExitCodes.whole}: all is whole; ${checkExitCodes.damaged}: something is damaged; ${checkExitCodes.unreadable}: it cannot be read.`;

function readReport(directory: string, path: string): DataReport | string {
  try {
    if (!statSync(directory).isDirectory()) {
      return "it is not a directory";
    }
    if (statSync(path, { throwIfNoEntry: false }) === undefined) {
      return `no API server has stored anything there: it holds no ${dataFileName}`;
    }
    return checkData(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return code === "ENOENT" ? "there is no such directory" : message;
  }
}

function printReport(directory: string, report: DataReport, out: (line: string) => void): void {
  const { state, wholeKeys, wholeBytes, damagedKeys, problems } = report;
  out(`${directory}: ${state === undefined ? "revision unknown" : `revision ${state.revision}`}`);
  out(`whole: ${wholeKeys} keys (${wholeBytes} bytes)`);
  out(`damaged: ${damagedKeys.length} keys, ${problems.length} other problems`);
  for (const { key, revision, detail } of damagedKeys) {
    out(`  key ${JSON.stringify(key)}${revision === undefined ? "" : ` (revision ${revision})`}: ${detail}`);
  }
  for (const problem of problems) {
    out(`  ${problem}`);
  }
}

/**
 * Reports whether another process has the database open: it holds a lock on LMDB's lock file, which only Linux shows.
 */
export function isOpenElsewhere(directory: string): boolean {
  try {
    const { ino } = statSync(join(directory, "lock.mdb"));
    return readFileSync("/proc/locks", "utf8").includes(`:${ino} `);
  } catch {
    return false;
  }
}
