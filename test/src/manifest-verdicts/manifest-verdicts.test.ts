import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { judgeSuite, verdictText } from "./judge-suite.js";
import { fetchSuite, manifestSuites } from "./public-manifests.js";

const skip = process.env["MANIFEST_SUITES"] === "1" ? false : "downloads from the network: npm run soak runs it";

/** Verdicts of kube-apiserver v1.29, recorded by compare-with-oracle.ts. */
const recording = new URL("../../src/manifest-verdicts/recorded-verdicts.json", import.meta.url);

describe("manifests of public tools get the verdicts of kube-apiserver v1.29", { skip }, () => {
  let cache: string;
  before(async () => {
    cache = await mkdtemp(join(tmpdir(), "gatehouse-suites-"));
  });
  after(() => rm(cache, { recursive: true, force: true }));

  for (const suite of manifestSuites) {
    it(`those of ${suite.name}`, async () => {
      const recorded: Record<string, readonly string[]> = JSON.parse(await readFile(recording, "utf8"));
      const verdicts = await judgeSuite(suite, await fetchSuite(suite, cache));
      assert.deepEqual(verdicts.map(verdictText), recorded[suite.name]);
    });
  }
});
