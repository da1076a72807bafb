import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { startNode } from "../processes/start-node.js";
import { interleave, type RoundResult } from "../rounds.js";

/** Path of the program that `npm start` runs when the build is done. */
const script = fileURLToPath(new URL("../bundle/gatehouse.js", import.meta.resolve("@gatehouse/deploy")));
/** The end of what it prints when everything is ready. */
const greetingEnd = "Ctrl-C stops everything";

const optionalParts = "admission,image-review,audit-sink";

/** Measure the time from a command at the keyboard to a usable API server, everything new; and to the whole stack. */
export const upBenchmarks: readonly Benchmark[] = [
  {
    ...upBenchmark([`--without=${optionalParts}`]),
    name: "up-server",
    what: "`gatehouse up` of the API server alone to its greeting, new certificates",
    wanted: { atMost: 8 },
  },
  { ...upBenchmark([]), name: "up", what: "`gatehouse up` of all servers to its greeting, new certificates" },
];

function upBenchmark(flags: readonly string[]): Pick<Benchmark, "limit" | "unit" | "run"> {
  return {
    limit: "node -e 0",
    unit: "ms",
    async run(environment) {
      await upOnce(environment, flags);
      await startNode();
      const rounds = environment.quick ? 3 : 2 * environment.rounds + 1;
      return await interleave(rounds, () => upOnce(environment, flags), startNode);
    },
  };
}

async function upOnce(environment: BenchEnvironment, flags: readonly string[]): Promise<RoundResult> {
  const directory = await environment.makeDirectory();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [script, "--data-dir", directory, "--port=0", ...flags], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  let output = "";
  const greeted = new Promise<void>((resolve) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.includes(greetingEnd)) {
        resolve();
      }
    });
  });
  const early = ended.then(() => Promise.reject(new Error(`gatehouse up has ended: ${output}`)));
  try {
    await Promise.race([greeted, early]);
    return { value: performance.now() - startedAt };
  } finally {
    early.catch(() => {});
    child.kill("SIGTERM");
    await ended;
  }
}
