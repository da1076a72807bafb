import { cpus, totalmem } from "node:os";

/** The machine in one line: figures mean nothing without it. */
export function describeMachine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? "unknown processor";
  const memoryGiB = (totalmem() / 2 ** 30).toFixed(1);
  return `${model}, ${processors.length} cores, ${memoryGiB} GiB memory, node ${process.version}, ${process.platform} ${process.arch}`;
}
