import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A question to another evaluator of expressions: variables are of dynamic type. */
export interface PeerQuestion {
  readonly expr: string;
  readonly vars: Readonly<Record<string, unknown>>;
  /** Evaluations to time; none when absent. */
  readonly repeat?: number;
}

/** The answer to a question. */
export interface PeerAnswer {
  readonly value?: unknown;
  readonly error?: string;
  readonly compileError?: string;
  /** Mean time of one evaluation. */
  readonly nanoseconds?: number;
}

/** Asks a program that answers lines of JSON by lines of JSON (`--expression-peer`), and waits until it has ended. */
export async function askExpressionPeer(
  program: string,
  questions: readonly PeerQuestion[],
): Promise<readonly PeerAnswer[]> {
  const child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
  const failed = new Promise<never>((_, reject) => child.once("error", reject));
  const answers = (async () => {
    const lines: PeerAnswer[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(JSON.parse(line));
    }
    return lines;
  })();
  child.stdin.end(questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  return await Promise.race([answers, failed]);
}
