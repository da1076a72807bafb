import { statSync } from "node:fs";
import { PageFile, readRoot, type TreeRoot } from "./page-file.js";
import { walkTree } from "./walk-tree.js";

/**
 * Number of attempts to read the file while another process may be writing: damage counts only if nothing was written
 * meanwhile.
 */
const maxAttempts = 5;

/**
 * Largest file in bytes that is read as a whole before it is opened, which takes a fraction of a second. For a larger
 * one the leaves of the log are left out, which are nearly all of it.
 */
const maxWholeFileBytes = 128 * 2 ** 20;

/** Returns the tables of a data file by name; calls `problem` with problems of their list. */
export function tablesOfFile(file: PageFile, main: TreeRoot, problem: (what: string) => void): Map<string, TreeRoot> {
  const tables = new Map<string, TreeRoot>();
  const entry = (key: Buffer, value: Buffer | undefined, isTable: boolean): void => {
    if (isTable && value?.length === 48) {
      tables.set(key.toString().replace(/\0$/, ""), readRoot(value));
    }
  };
  walkTree(file, main, { entry, problem: (what) => problem(`in the list of tables ${what}`) });
  return tables;
}

/**
 * Returns the problem of a data file's trees; undefined when there is none, or no file. Called before LMDB opens the
 * file: LMDB believes its pages, so it leaves out keys or ends the process where they are damaged. Values are not read;
 * they have checksums.
 */
export function structureProblem(path: string): string | undefined {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    return undefined;
  }
  using file = new PageFile(path);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const { transaction, free, main } = file.state();
    const problem = firstProblem(file, free, main, size > maxWholeFileBytes);
    if (problem === undefined || file.state().transaction === transaction) {
      return problem;
    }
  }
  return undefined; // somebody writes all the time, and has it open
}

function firstProblem(file: PageFile, free: TreeRoot, main: TreeRoot, isLarge: boolean): string | undefined {
  let first: string | undefined;
  const note = (what: string): void => {
    first ??= what;
  };
  walkTree(file, free, { problem: (what) => note(`in the list of free pages ${what}`) }, { hasNumericKeys: true });
  for (const [name, root] of tablesOfFile(file, main, note)) {
    const problem = (what: string): void => note(`in the table "${name}" ${what}`);
    walkTree(file, root, { problem }, { skipLeaves: isLarge && name === "log" });
  }
  return first;
}
