import { request } from "node:https";
import type { BenchEnvironment } from "../bench-environment.js";
import type { Benchmark } from "../benchmark.js";
import { answeredRounds } from "../load/answered-rounds.js";
import { readClientTls } from "../processes/client-tls.js";
import { startReviewServer } from "../processes/review-server.js";
import { startBareReviewServer, startLoadGenerator } from "../processes/start-children.js";
import { interleave } from "../rounds.js";

const connections = 32;

/** One review, and the server that answers it. */
export interface ReviewBenchmarkOptions {
  readonly name: string;
  /** Subject of the review. */
  readonly what: string;
  readonly program: Parameters<typeof startReviewServer>[1];
  readonly path: string;
  /** Called before the server starts. */
  prepare(environment: BenchEnvironment): Promise<PreparedReview>;
}

/** Configuration of the server, the request, and a text that must be in its answer. */
export interface PreparedReview extends Partial<AsyncDisposable> {
  readonly configuration: object;
  readonly body: string;
  readonly expected: string;
}

/** A webhook server that answers the same review again and again, beside a bare server that answers the same bytes. */
export function reviewBenchmark({ name, what, program, path, prepare }: ReviewBenchmarkOptions): Benchmark {
  return {
    name,
    what: `${what}, HTTP/1.1, ${connections} connections, client certificate`,
    limit: "a bare Node https server that parses and answers the same bytes",
    unit: "reviews/s",
    wanted: { atLeast: 0.5 },
    async run(environment) {
      const { certificates, roundMs } = environment;
      const prepared = await prepare(environment);
      try {
        await using reviewer = await startReviewServer(environment, program, prepared.configuration);
        await using bare = startBareReviewServer();
        await using load = startLoadGenerator();
        const { body } = prepared;
        const answer = await post(environment, reviewer.port, path, prepared);
        const barePort = await bare.call("listen", certificates);
        await bare.call("serve", {
          path,
          headers: { "Content-Type": "application/json", "Content-Length": String(answer.length) },
          body: answer,
        });
        const side = (port: number, serverPid: number) =>
          answeredRounds(
            load,
            { port, certificates, pids: [serverPid] },
            { request: { method: "POST", path, body }, roundMs, connections },
          );
        return await interleave(environment.rounds, side(reviewer.port, reviewer.pid), side(barePort, bare.pid));
      } finally {
        await prepared[Symbol.asyncDispose]?.();
      }
    },
  };
}

/** One review; resolves to the bytes of the answer. Rejects when they do not hold what is expected. */
function post(
  { certificates }: BenchEnvironment,
  port: number,
  path: string,
  { body, expected }: PreparedReview,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path, method: "POST", ...readClientTls(certificates) };
    const sent = request({ ...options, headers: { "Content-Type": "application/json" }, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const answer = Buffer.concat(chunks);
        if (response.statusCode === 200 && answer.includes(expected)) {
          resolve(answer);
        } else {
          reject(new Error(`a review was answered ${response.statusCode}: ${answer}`));
        }
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
