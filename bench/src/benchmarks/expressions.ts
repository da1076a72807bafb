import { type CompiledExpression, compileExpression, dynType, storedExpressions } from "@gatehouse/policies/cel";
import type { Benchmark } from "../benchmark.js";
import { policyExpressions, policyObject } from "../policy-expressions.js";
import { askExpressionPeer } from "../processes/expression-peer.js";
import { interleave, type Round } from "../rounds.js";

const declarations = storedExpressions.withVariables(new Map([["object", dynType]]));

/** The cost limit that v1.29 sets for one expression. */
const costLimit = 1_000_000;

interface Deployment {
  readonly metadata?: { readonly name?: string };
  readonly spec?: { readonly replicas?: number };
}

/** Measures one evaluation beside the same check in TypeScript. */
const simpleBenchmark: Benchmark = {
  name: "expression",
  what: "evaluate object.spec.replicas <= 5 && object.metadata.name.startsWith('bench') on a decoded Deployment, cost counted",
  limit: "the same check written in TypeScript",
  unit: "evaluations/s",
  wanted: { atLeast: 0.1 },
  async run({ rounds, roundMs }) {
    const expression = "object.spec.replicas <= 5 && object.metadata.name.startsWith('bench')";
    const { evaluate } = compileExpression(expression, declarations);
    const variables = { object: policyObject };
    const byHand = ({ spec, metadata }: Deployment): boolean =>
      (spec?.replicas ?? 0) <= 5 && (metadata?.name ?? "").startsWith("bench");
    return await interleave(
      rounds,
      repeated(roundMs, () => evaluate(variables, costLimit).value === true),
      repeated(roundMs, () => byHand(variables.object)),
    );
  },
};

/** Measures expressions of policies beside another evaluator (`--expression-peer`). */
const policiesBenchmark: Benchmark = {
  name: "expressions-peer",
  what: `the time of the other evaluator for ${policyExpressions.length} expressions of policies, one evaluation of each, cost counted`,
  limit: "ours",
  unit: "µs",
  wanted: { atLeast: 3 },
  needs: "expressionPeer",
  async run({ rounds, roundMs, expressionPeer, quick }) {
    const variables = { object: policyObject };
    const compiled = policyExpressions.map((source) => compileExpression(source, declarations));
    const ours = repeated(roundMs, () => compiled.every((expression) => isTrue(expression, variables)));
    const repeat = quick ? 2_000 : 20_000;
    const questions = policyExpressions.map((expr) => ({ expr, vars: variables, repeat }));
    const theirs: Round = async () => {
      const answers = await askExpressionPeer(expressionPeer as string, questions);
      const nanoseconds = answers.map(({ value, nanoseconds = 0 }, index) => {
        if (value !== true) {
          throw new Error(`the other evaluator answers otherwise: ${questions[index]?.expr}`);
        }
        return nanoseconds;
      });
      return { value: nanoseconds.reduce((sum, next) => sum + next, 0) / 1000 };
    };
    const inMicroseconds: Round = async () => ({ value: 1_000_000 / (await ours()).value });
    return await interleave(rounds, theirs, inMicroseconds);
  },
};

/** Measures compilation beside another evaluator (`--expression-peer`), which makes its environment for each. */
const compileBenchmark: Benchmark = {
  name: "expressions-compile",
  what: "the time of the other evaluator to compile 1,000 expressions and to evaluate each once",
  limit: "ours",
  unit: "ms",
  needs: "expressionPeer",
  async run({ rounds, expressionPeer }) {
    // Different texts, so that nothing is compiled once for all.
    const sources = Array.from(
      { length: 1000 },
      (_, index) => `(${policyExpressions[index % policyExpressions.length]}) && ${index} >= 0`,
    );
    const variables = { object: policyObject };
    const questions = sources.map((expr) => ({ expr, vars: variables }));
    const theirs = timed(async () => {
      await askExpressionPeer(expressionPeer as string, questions);
    });
    const ours = timed(async () => {
      for (const source of sources) {
        isTrue(compileExpression(source, declarations), variables);
      }
    });
    return await interleave(rounds, theirs, ours);
  },
};

/** The benchmarks of the expression engine alone. */
export const expressionBenchmarks: readonly Benchmark[] = [simpleBenchmark, policiesBenchmark, compileBenchmark];

function isTrue({ evaluate, source }: CompiledExpression, variables: { readonly object: typeof policyObject }): true {
  const { value, error } = evaluate(variables, costLimit);
  if (value !== true) {
    throw new Error(`${source}: ${error?.message ?? value}`);
  }
  return true;
}

/** Returns a round that repeats a check for so long, and counts how often a second it was done. */
function repeated(roundMs: number, check: () => boolean): Round {
  return async () => {
    const started = performance.now();
    let count = 0;
    while (performance.now() - started < roundMs) {
      for (let repetition = 0; repetition < 1000; repetition++) {
        if (!check()) {
          throw new Error("the check fails");
        }
      }
      count += 1000;
    }
    return { value: (count / (performance.now() - started)) * 1000 };
  };
}

function timed(work: () => Promise<void>): Round {
  return async () => {
    const started = performance.now();
    await work();
    return { value: performance.now() - started };
  };
}
