#!/usr/bin/env node
import { formatHelp, parseFlags } from "@gatehouse/component-base/flags";
import { formatProblems } from "@gatehouse/component-base/problems";
import { openBenchEnvironment } from "./bench-environment.js";
import { isMet } from "./benchmark.js";
import { benchmarks } from "./benchmarks/index.js";
import { benchFlags } from "./flags.js";
import { describeMachine } from "./machine.js";
import { formatResult, formatStall } from "./report.js";
import { stallRequests } from "./stalls/index.js";
import { measureReviewStalls } from "./stalls/measure-review-stalls.js";
import { measureStalls, type StallRow } from "./stalls/measure-stalls.js";
import { reviewStallRequests } from "./stalls/review-requests.js";

/** Runs the benchmarks and prints a line for each. Exits with 1 if a wanted ratio is not met. */
async function main(argv: readonly string[]): Promise<void> {
  const parsed = parseFlags(benchFlags, argv);
  if (parsed.outcome === "invalid") {
    process.stderr.write(formatProblems(parsed.problems));
    process.exitCode = 1;
    return;
  }
  if (parsed.outcome !== "run") {
    process.stdout.write(
      formatHelp(benchFlags, { command: "npm run bench --", summary: "Measures Gatehouse against stated limits." }),
    );
    return;
  }
  const { only, stall = "", quick, rounds, directory, peer: kubeconfig } = parsed.values;
  const pids = parsed.values["peer-pids"].map(Number);
  process.stdout.write(`${describeMachine()}\n`);
  await using environment = await openBenchEnvironment({
    quick,
    rounds,
    auditEvents: parsed.values["audit-events"],
    sinkSeconds: parsed.values["sink-seconds"],
    serverNodeOptions: parsed.values["server-node-options"],
    peer: kubeconfig === undefined ? undefined : { kubeconfig, pids },
    peerEtcd: parsed.values["peer-etcd"],
    peerPair: parsed.values["peer-pair"],
    expressionPeer: parsed.values["expression-peer"],
    etcd: parsed.values.etcd,
    parentDirectory: directory,
  });
  for (const benchmark of benchmarks) {
    const isAsked =
      only.length > 0
        ? only.includes(benchmark.name)
        : benchmark.needs === undefined || environment[benchmark.needs] !== undefined;
    if (!isAsked) {
      continue;
    }
    const measurement = await benchmark.run(environment);
    process.stdout.write(`${formatResult(benchmark, measurement)}\n`);
    for (const note of measurement.notes) {
      process.stdout.write(`          note: ${note}\n`);
    }
    if (!isMet(benchmark, measurement.ratio)) {
      process.exitCode = 1;
    }
  }
  if (only.length === 0 || only.includes("stalls")) {
    const requests = stallRequests.filter(({ name }) => name.includes(stall));
    const reviews = reviewStallRequests.filter(({ name }) => name.includes(stall));
    for await (const row of everyRow(measureStalls(environment, requests), measureReviewStalls(environment, reviews))) {
      process.stdout.write(`${formatStall(row)}\n`);
      if (!row.isMet) {
        process.exitCode = 1;
      }
    }
  }
}

async function* everyRow(...measurements: readonly AsyncIterable<StallRow>[]): AsyncGenerator<StallRow> {
  for (const rows of measurements) {
    yield* rows;
  }
}

await main(process.argv.slice(2));
