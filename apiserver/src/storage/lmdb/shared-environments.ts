import { join } from "node:path";
import { StoreUnusableError } from "../../errors/errors.js";
import { structureProblem } from "./check-structure.js";
import { prepareDirectory } from "./data-directory.js";
import { dataFileName, lastingDataFileProblem } from "./data-file.js";
import { Environment } from "./environment.js";
import type { MappingLimits } from "./mapping-limits.js";
import { openTables, type TableAccess } from "./tables.js";

interface SharedEnvironment {
  readonly environment: Promise<Environment>;
  users: number;
  /** Set once the last user has left. */
  closed?: Promise<void>;
}

/**
 * The open environments by path. LMDB forbids to open one environment twice in a process (the second would release the
 * file locks of the first), so the stores of one process share it. The only piece of process-wide state, it mirrors a
 * process-wide fact.
 */
const sharedEnvironments = new Map<string, SharedEnvironment>();

/**
 * Opens the environment in `directory`, creating both when absent; the options of its first user apply. Throws
 * StoreUnusableError.
 */
export async function acquireEnvironment(
  directory: string,
  limits: MappingLimits,
  access: TableAccess = {},
): Promise<Environment> {
  const path = prepareDirectory(directory, access);
  let shared = sharedEnvironments.get(path);
  while (shared?.closed !== undefined) {
    await shared.closed;
    shared = sharedEnvironments.get(path);
  }
  if (shared === undefined) {
    shared = { environment: openChecked(path, limits, access), users: 0 };
    sharedEnvironments.set(path, shared);
  }
  shared.users++;
  try {
    return await shared.environment;
  } catch (error) {
    sharedEnvironments.delete(path);
    throw error;
  }
}

/** Trees are looked at once, before LMDB sees them; not each time the file is mapped anew. */
async function openChecked(path: string, limits: MappingLimits, access: TableAccess): Promise<Environment> {
  const file = join(path, dataFileName);
  // `Environment.open` reports damaged meta pages.
  const problem = (await lastingDataFileProblem(file)) === undefined ? structureProblem(file) : undefined;
  if (problem !== undefined) {
    throw new StoreUnusableError(
      `the data directory "${path}" is damaged (${problem}); \`gatehouse-apiserver check\` tells what is whole`,
    );
  }
  return Environment.open(path, limits, (directory) => openTables(directory, access));
}

/** Releases an environment. Called once by each user that has acquired it; the last one closes it. */
export async function releaseEnvironment(environment: Environment): Promise<void> {
  const shared = sharedEnvironments.get(environment.path);
  if (shared === undefined || --shared.users > 0) {
    return;
  }
  shared.closed = environment.close().finally(() => sharedEnvironments.delete(environment.path));
  await shared.closed;
}
