import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { HttpResponse } from "@gatehouse/component-base/http-client";
import type { ControlPlane } from "@gatehouse/testing";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

/** Folder of the cases and of v1.29's answers to them (`test/differential/record-phases.mjs`). */
const differential = new URL("../../differential/", import.meta.url);

interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly quiet?: boolean;
  readonly view?: (answer: Pick<HttpResponse, "body" | "headers">) => unknown;
  /** Reports whether the view of an answer is what the step waits for. */
  readonly until?: (view: unknown) => boolean;
}

interface Case {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Path at which the kind is served that the case defines. */
  readonly served?: string;
}

interface Sizes {
  readonly seed: number;
  readonly count: number;
  readonly requests: number;
}

interface Hook {
  readonly url: string;
  readonly certificatePem: string;
}

type Answers = readonly (readonly [status: number, view: unknown])[];

interface Area {
  phases(sizes: Sizes, hook: Hook): readonly { readonly cases: readonly Case[] }[];
}

interface ServerFlags {
  readonly auditPolicy: unknown;
  readonly sharedFlags: readonly string[];
  readonly otherControllers: readonly string[];
}

const areas = ["policies", "rules", "match-conditions"];

describe("Expressions decide as those of v1.29 have decided", () => {
  let server: ControlPlane;
  let folder: string;
  let hook: Hook;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-expressions-"));
    const [policyFile, logFile] = [join(folder, "policy.json"), join(folder, "audit.log")];
    const { auditPolicy, otherControllers, sharedFlags } = await load<ServerFlags>("lib/policies/server-flags.mjs");
    writeFileSync(policyFile, JSON.stringify(auditPolicy));
    writeFileSync(logFile, "");
    // The views of answers read audit annotations from this log.
    process.env["AUDIT_LOGS"] = logFile;
    const ownFlags = [`--audit-policy-file=${policyFile}`, `--audit-log-path=${logFile}`];
    const controllers = `--controllers=*,${otherControllers.map((name) => `-${name}`).join(",")}`;
    server = await startTestServer({ flags: [...sharedFlags, ...ownFlags, controllers] });
    hook = await (await load<{ startHook(): Promise<Hook> }>("lib/match-conditions/hook.mjs")).startHook();
  });

  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const area of areas) {
    describe(area, () => {
      const { answers, ...sizes } = readRecording(area);
      const seen = new Map<string, Answers>();

      before(async () => {
        const { phases } = await load<Area>(`areas/${area}.mjs`);
        for (const one of phases(sizes, hook).flatMap(({ cases }) => cases)) {
          seen.set(one.name, await run(server, one));
        }
      });

      for (const [name, expected] of Object.entries(answers)) {
        it(name, () => {
          assert.deepEqual(seen.get(name), expected);
        });
      }
    });
  }
});

function load<T>(file: string): Promise<T> {
  return import(new URL(file, differential).href) as Promise<T>;
}

function readRecording(area: string): Sizes & { readonly answers: Readonly<Record<string, Answers>> } {
  const file = readFileSync(new URL(`recorded/${area}.json.br`, differential));
  return JSON.parse(brotliDecompressSync(file).toString()) as Sizes & { answers: Record<string, Answers> };
}

/** Sends the requests of a case. Returns the answers that are compared, encoded as JSON and decoded again. */
async function run(server: ControlPlane, { name, steps, served }: Case): Promise<Answers> {
  const answers: (readonly [number, unknown])[] = [];
  let isAccepted = true;
  for (const step of steps) {
    const answer = await until(`${name} is answered`, () => ask(server, step));
    isAccepted &&= answer.status < 300;
    if (step.quiet !== true) {
      answers.push(JSON.parse(JSON.stringify([answer.status, answer.view])) as Answers[number]);
    }
  }
  if (served !== undefined && isAccepted) {
    const list = { method: "GET", path: served };
    await until(`${served} is served`, async () => (await send(server, list)).status === 200);
  }
  return answers;
}

/** Sends a request. Returns undefined if the step waits for another answer. */
async function ask(
  server: ControlPlane,
  step: Step,
): Promise<{ readonly status: number; readonly view: unknown } | undefined> {
  const answer = await send(server, step);
  const view = step.view?.(answer);
  return step.until === undefined || step.until(view) ? { status: answer.status, view } : undefined;
}

function send({ client }: ControlPlane, { method, path, headers, body }: Step): Promise<HttpResponse> {
  return client.request({
    method,
    path,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });
}
