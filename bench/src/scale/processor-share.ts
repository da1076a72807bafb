import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The cpu controller of the kernel's control groups, version 1. */
const controller = "/sys/fs/cgroup/cpu";
/** The least quota that the kernel takes, and the least period that is used, in microseconds. */
const leastQuota = 1000;
const leastPeriod = 10_000;

/**
 * Gives each of several processes, with all threads, 1/`slowdown` of a core, until disposed. Throws where the kernel has no
 * such controller, or this user may not use it.
 */
export function shareProcessor(pids: readonly number[], slowdown: number): Disposable {
  const period = Math.max(leastPeriod, leastQuota * slowdown);
  const groups = pids.map((pid) => join(controller, `gatehouse-${pid}`));
  for (const [index, group] of groups.entries()) {
    mkdirSync(group);
    writeFileSync(join(group, "cpu.cfs_period_us"), String(period));
    writeFileSync(join(group, "cpu.cfs_quota_us"), String(Math.round(period / slowdown)));
    writeFileSync(join(group, "cgroup.procs"), String(pids[index]));
  }
  return {
    [Symbol.dispose]() {
      for (const [index, group] of groups.entries()) {
        // A group that has processes cannot be removed.
        writeFileSync(join(controller, "cgroup.procs"), String(pids[index]));
        rmdirSync(group);
      }
    },
  };
}
