import type { Environment } from "./environment.js";
import type { GroupCommit } from "./group-commit.js";
import { writeInteger } from "./layout.js";
import { expireOperation } from "./operations.js";
import type { Tables } from "./tables.js";

const maxKeysPerRound = 500;

/** Deletes keys whose time is over, until the signal aborts. Several processes may do so on one store. */
export function startExpirySweeper(
  environment: Environment,
  commits: GroupCommit,
  options: { readonly intervalMs: number; readonly now: () => number; readonly onError: (error: unknown) => void },
): Disposable {
  let sweeping = false;
  const sweep = async () => {
    if (sweeping) {
      return;
    }
    sweeping = true;
    try {
      for (;;) {
        while (!environment.isAvailable) {
          await environment.available();
        }
        const due = dueKeys(environment.tables, options.now());
        if (due.length === 0) {
          break;
        }
        await Promise.all(due.map((expiryKey) => commits.run(expireOperation(expiryKey), expiryKey.length)));
      }
    } catch (error) {
      options.onError(error);
    } finally {
      sweeping = false;
    }
  };
  const timer = setInterval(() => void sweep(), options.intervalMs).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function dueKeys({ root, expiry }: Tables, nowMs: number): Buffer[] {
  root.resetReadTxn();
  const end = Buffer.alloc(8);
  writeInteger(end, Math.floor(nowMs) + 1, 0);
  const range = { start: Buffer.alloc(8), end, limit: maxKeysPerRound };
  return [...expiry.getKeys(range)];
}
