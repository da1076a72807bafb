import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readTracingConfiguration } from "./tracing-configuration.js";

const head = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: TracingConfiguration\n";

describe("The configuration of traces", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-tracing-"));
  });
  after(() => rm(folder, { recursive: true }));
  const read = async (text: string) => {
    const file = join(folder, "tracing.yaml");
    await writeFile(file, text);
    return readTracingConfiguration(file);
  };

  it("has the defaults of v1.29", async () => {
    const usual = { endpoint: "http://localhost:4317", samplingRatePerMillion: 0 };
    assert.deepEqual(await read(head), usual);
    assert.deepEqual(await read(head.replace("v1beta1", "v1alpha1")), usual);
  });

  for (const [endpoint, url] of [
    ["collector:4317", "http://collector:4317"],
    ["dns:collector:4317", "http://collector:4317"],
    ["dns:///collector:4317", "http://collector:4317"],
    ['"[::1]:4317"', "http://[::1]:4317"],
    ["unix:/run/otel.sock", "unix:/run/otel.sock"],
  ]) {
    it(`takes the endpoint ${endpoint}`, async () => {
      assert.equal((await read(`${head}endpoint: ${endpoint}\n`)).endpoint, url);
    });
  }

  for (const [text, problem] of [
    ["samplingRatePerMillion: -1", /sampling rate must be positive/],
    ["samplingRatePerMillion: 1000001", /sampling rate per million must be less than or equal to one million/],
    ["samplingRatePerMillion: many", /must be a whole number/],
    ["endpoint: http://collector:4317/path", /must be host:port/],
    ["endpoint: 5", /must be a text/],
    ["sampling: 1", /sampling: is unknown/],
  ] as const) {
    it(`refuses "${text}"`, async () => {
      await assert.rejects(read(`${head}${text}\n`), problem);
    });
  }

  it("refuses another kind", async () => {
    await assert.rejects(read("apiVersion: v1\nkind: ConfigMap\n"), /must be TracingConfiguration/);
  });
});
