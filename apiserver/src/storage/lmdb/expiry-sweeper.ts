import { isStoreTrouble } from "../store-condition.js";
import type { Environment } from "./environment.js";
import type { GroupCommit } from "./group-commit.js";
import { writeInteger } from "./layout.js";
import { expireOperation } from "./operations.js";
import type { Tables } from "./tables.js";

const maxKeysPerRound = 500;

/** The deletion of expired keys. */
export interface ExpirySweeper extends Disposable {
  /** Looks for expired keys before the interval is over. */
  sweep(): void;
}

/**
 * Deletes expired keys every `intervalMs`, until disposed. Several processes may do so on one store. `onError` is
 * called with a failure, once until it works again, and the next round tries again; a key that cannot be deleted does
 * not keep the others.
 */
export function startExpirySweeper(
  environment: Environment,
  commits: GroupCommit,
  options: { readonly intervalMs: number; readonly now: () => number; readonly onError: (error: unknown) => void },
): ExpirySweeper {
  let sweeping = false;
  let hasFailed = false;
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
        const runs = due.map((expiryKey) => commits.run(expireOperation(expiryKey), expiryKey.length));
        const failed = (await Promise.allSettled(runs)).find(({ status }) => status === "rejected");
        if (failed?.status === "rejected") {
          throw failed.reason;
        }
      }
      hasFailed = false;
    } catch (error) {
      if (!hasFailed && !isStoreTrouble(error)) {
        options.onError(error);
      }
      hasFailed = true;
    } finally {
      sweeping = false;
    }
  };
  const timer = setInterval(() => void sweep(), options.intervalMs).unref();
  return { sweep: () => void sweep(), [Symbol.dispose]: () => clearInterval(timer) };
}

function dueKeys({ root, expiry }: Tables, nowMs: number): Buffer[] {
  root.resetReadTxn();
  const end = Buffer.alloc(8);
  writeInteger(end, Math.floor(nowMs) + 1, 0);
  const range = { start: Buffer.alloc(8), end, limit: maxKeysPerRound };
  return [...expiry.getKeys(range)];
}
