import { readFile } from "node:fs/promises";

/** Ticks of the times in /proc: fixed at 100 for user space (USER_HZ). */
const ticksPerSecond = 100;

/** Resident memory of a process, in bytes. Linux only. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  if (match === null) {
    throw new Error("the kernel does not tell the resident memory");
  }
  return Number(match[1]) * 1024;
}

/** Memory of processes that none of them shares with any other, in bytes. Linux only. */
export async function privateBytes(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/smaps_rollup`, "utf8")));
  const kilobytes = each.flatMap((text) => [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)]);
  return kilobytes.reduce((sum, [, count]) => sum + Number(count) * 1024, 0);
}

/** Processor time that processes have had, all threads together, in seconds. Linux only. */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  const each = await Promise.all(pids.map(processorSecondsOf));
  return each.reduce((sum, seconds) => sum + seconds, 0);
}

async function processorSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name in the second field may hold anything but ends with the last parenthesis.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}
