import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { type ControlPlane, startControlPlane } from "@gatehouse/testing";
import { until } from "../../../support/until.js";
import { type Counts, countsOf, definitions, list, measuredSteps } from "./measured-steps.js";

/** A request, and the answer of v1.29 to it. */
interface RecordedStep {
  readonly step: {
    /** Set if the server has the feature gate CRDValidationRatcheting. */
    readonly gate?: true;
    readonly method: string;
    readonly path: string;
    readonly type?: string;
    readonly body?: unknown;
    /** The code to wait for. */
    readonly wait?: number;
  };
  readonly answer: RecordedAnswer;
}

interface RecordedAnswer {
  readonly code: number;
  readonly warnings?: string;
  /** The parts of a Status. */
  readonly refused?: unknown;
}

interface Status {
  readonly kind?: string;
  readonly metadata?: { readonly resourceVersion?: string };
  readonly status?: unknown;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly unknown[] };
}

function recordedSteps(): readonly RecordedStep[] {
  const source = import.meta.url.replace("/dist/", "/src/");
  const lines = readFileSync(new URL("answers.jsonl", source), "utf8").trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line) as RecordedStep);
}

/**
 * Returns an answer in a form that can be compared: v1.29 looks at the members of an object in any order, and the names of
 * types and the addresses in its messages differ from time to time.
 */
function comparable({ code, warnings = "", refused }: RecordedAnswer): unknown {
  const known = JSON.parse(
    JSON.stringify(refused ?? null)
      .replace(/selfType\d+/g, "selfType")
      .replace(/\(0x[0-9a-f]+\)/g, "(0x0)"),
  ) as Status | null;
  const inOrder = (items: readonly unknown[]): string[] => items.map((item) => JSON.stringify(item)).sort();
  const causes = known?.details?.causes;
  return {
    code,
    warnings: warnings.split(/, (?=299 )/).sort(),
    refused: known && {
      ...known,
      message: (known.message ?? "").replace(/^(.*?is invalid: )\[?(.*?)\]?$/s, (_all, start: string, rest: string) =>
        [start, ...rest.split(/, (?=<nil>|spec|status)/).sort()].join("\n"),
      ),
      details: causes && { ...known.details, causes: inOrder(causes) },
    },
  };
}

describe("Rules of custom resources", () => {
  const servers: ControlPlane[] = [];
  let version = "";

  before(async () => {
    for (const flags of [[], ["--feature-gates=CRDValidationRatcheting=true"]]) {
      servers.push(await startControlPlane({ mode: "in-process", authorization: ["AlwaysAllow"], flags }));
    }
  });

  after(async () => {
    for (const server of servers) {
      await server.stop();
    }
  });

  async function send({ gate, method, path, type, body }: RecordedStep["step"]): Promise<RecordedAnswer> {
    const server = servers[gate === true ? 1 : 0] as ControlPlane;
    const text =
      body === undefined ? undefined : JSON.stringify(body).replaceAll('"$version"', JSON.stringify(version));
    const answer = await server.client.request({
      method,
      path,
      ...(text === undefined ? {} : { body: text }),
      headers: { "content-type": type ?? "application/json" },
      signal: new AbortController().signal,
      timeoutMs: 30_000,
    });
    const isJson = String(answer.headers["content-type"]).includes("json");
    const content = (isJson ? JSON.parse(answer.body.toString()) : {}) as Status;
    version = content.metadata?.resourceVersion ?? version;
    const { status, reason, message, details } = content;
    const warnings = answer.headers["warning"];
    return {
      code: answer.status,
      ...(warnings === undefined ? {} : { warnings: String(warnings) }),
      ...(content.kind === "Status" ? { refused: { status, reason, message, details } } : {}),
    };
  }

  for (const [index, { step, answer }] of recordedSteps().entries()) {
    test(`${index}: ${step.method} ${step.path} is answered with ${answer.code} as by v1.29`, async () => {
      if (step.wait !== undefined) {
        await until(`${step.path} is answered with ${step.wait}`, async () => (await send(step)).code === step.wait);
      }
      assert.deepEqual(comparable(await send(step)), comparable(answer));
    });
  }

  test("are counted by the metrics, for each value that leads to rules and each update, as by v1.29", async () => {
    const server = servers[1] as ControlPlane;
    const counts: Counts[] = [await countsOf(server)];
    for (const { code, ...step } of measuredSteps) {
      if (step.method === "POST" && step.path !== definitions) {
        await until(
          `${step.path} is served`,
          async () => (await send({ gate: true, ...list(step.path) })).code === 200,
        );
      }
      assert.equal((await send({ gate: true, ...step })).code, code, step.path);
      counts.push(await countsOf(server));
    }
    const added = counts.slice(1).map(({ evaluations, updates }, index) => ({
      evaluations: evaluations - (counts[index] as Counts).evaluations,
      updates: updates - (counts[index] as Counts).updates,
    }));
    assert.deepEqual(
      added,
      measuredSteps.map(({ evaluations, updates }) => ({ evaluations, updates })),
    );
    assert.ok((counts.at(-1) as Counts).compilations > (counts[0] as Counts).compilations);
  });
});
