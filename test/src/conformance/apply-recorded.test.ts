import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { brotliDecompressSync } from "node:zlib";
import type { HttpResponse } from "@gatehouse/component-base/http-client";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { ControlPlane } from "@gatehouse/testing";
import { withoutAdmission } from "../support/admission-flags.js";
import { startTestServer } from "../support/start-test-server.js";
import { until } from "../support/until.js";

/** Folder of the sequences and of v1.29's answers to them (`test/differential/record.mjs`). */
const differential = new URL("../../differential/", import.meta.url);

interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly quiet?: boolean;
  readonly save?: Readonly<Record<string, string>>;
}

interface Sequence {
  readonly name: string;
  readonly steps: readonly Step[];
}

interface Recorded {
  readonly seed: number;
  readonly count: number;
  readonly answers: Readonly<Record<string, readonly (readonly [status: number, body: unknown])[]>>;
}

interface Area {
  readonly namespace: string;
  sequences(seed: number, count: number): Iterable<Sequence>;
}

/** The area whose versions a webhook converts. */
interface VersionsArea extends Area {
  needs(url: string, certificatePem: string): Iterable<{ readonly path: string; readonly body: unknown }>;
}

interface Kinds {
  answerReview(review: unknown): unknown;
}

// Controllers that were not there when the answers were recorded write the objects, too.
const controllers =
  "--controllers=*,-disruption-controller,-resourcequota-controller,-clusterrole-aggregation-controller";

describe("Applies, updates and patches by three managers", () => {
  it("lead to the objects and the owners that they lead to in v1.29", async () => {
    await using server = await startTestServer({
      flags: ["--service-cluster-ip-range=10.0.0.0/24", "--runtime-config=api/all=true", controllers, withoutAdmission],
    });
    for (const name of ["apply", "apply-parts"]) {
      const area = await load<Area>(`areas/${name}.mjs`);
      await send(server, { method: "POST", path: "/api/v1/namespaces" }, { metadata: { name: area.namespace } });
      await replay(server, area, name);
    }
  });

  it("lead to the same in all versions of a custom kind, which a webhook converts, and while that lies", async () => {
    await using server = await startTestServer();
    const { serverCertFile, serverKeyFile, caFile } = server.certificates;
    const { answerReview } = await load<Kinds>("lib/version-kinds.mjs");
    await using webhook = await startReviewer(
      { cert: readFileSync(serverCertFile), key: readFileSync(serverKeyFile) },
      answerReview,
    );
    const area = await load<VersionsArea>("areas/apply-versions.mjs");
    for (const { path, body } of area.needs(webhook.url, readFileSync(caFile, "utf8"))) {
      assert.equal((await send(server, { method: "POST", path }, body)).status, 201);
    }
    await until("the kinds are served", async () => {
      const group = await send(server, { method: "GET", path: "/apis/versions.example.com/v3" }, undefined);
      return ["sites", "spots"].every((plural) => group.body.toString().includes(`"${plural}"`));
    });
    await replay(server, area, "apply-versions");
  });
});

function load<T>(file: string): Promise<T> {
  return import(new URL(file, differential).href) as Promise<T>;
}

function send({ client }: ControlPlane, step: Step, body: unknown): Promise<HttpResponse> {
  return client.request({
    method: step.method,
    path: step.path,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    headers: { "content-type": "application/json", ...step.headers },
    signal: new AbortController().signal,
    timeoutMs: 60_000,
  });
}

/** Sends the recorded sequences of an area, and compares the answers with those of v1.29. */
async function replay(server: ControlPlane, area: Area, name: string): Promise<void> {
  const { comparable } = await load<{ comparable(answer: { readonly body: Buffer }): unknown }>("lib/comparable.mjs");
  const file = readFileSync(new URL(`recorded/${name}.json.br`, differential));
  const { seed, count, answers } = JSON.parse(brotliDecompressSync(file).toString()) as Recorded;
  for (const [index, { name, steps }] of [...area.sequences(seed, count)].entries()) {
    const expected = answers[index];
    if (expected === undefined) {
      continue;
    }
    let saved: JsonObject = {};
    let read: Step | undefined;
    let at = 0;
    for (const step of steps) {
      const { method, path, body, quiet, save } = step;
      const sendStep = () => send(server, step, typeof body === "function" ? body({ object: saved }) : body);
      let answer = await sendStep();
      // A controller may have written the object since it was read; whoever wants to change it reads it again.
      for (let attempt = 0; answer.status === 409 && typeof body === "function" && attempt < 5; attempt++) {
        saved = JSON.parse((await send(server, read as Step, undefined)).body.toString()) as JsonObject;
        answer = await sendStep();
      }
      if (save !== undefined) {
        read = step;
        saved = JSON.parse(answer.body.toString()) as JsonObject;
      }
      if (quiet !== true) {
        assert.deepEqual([answer.status, comparable(answer)], expected[at++], `${name}: ${method} ${path}`);
      }
    }
  }
}

/** A conversion webhook on 127.0.0.1 that answers reviews. */
async function startReviewer(
  certificate: Pick<ServerOptions, "cert" | "key">,
  answer: (review: unknown) => unknown,
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(certificate, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer(JSON.parse(Buffer.concat(chunks).toString()))));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/convert`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
