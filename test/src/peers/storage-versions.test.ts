import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { ControlPlane } from "@gatehouse/testing";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer } from "../support/start-test-server.js";
import { askAboutStorageVersions, type StorageVersionFact, storageVersionFlags } from "./storage-version-session.js";

const recorded: readonly StorageVersionFact[] = JSON.parse(
  readFileSync(new URL("../../src/peers/recorded-storage-versions.json", import.meta.url), "utf8"),
);

for (const [setting, flags] of [
  ["A server", []],
  ["A server of two workers", ["--workers=2"]],
] as const) {
  describe(`${setting} tells others in which versions it stores objects as v1.29 does`, () => {
    let server: ControlPlane;
    let facts: ReadonlyMap<string, unknown>;

    before(async () => {
      server = await startTestServer({ flags: [...storageVersionFlags, ...flags] });
      using client = createApiClient(server.clientConfig);
      facts = new Map((await askAboutStorageVersions(client)).map(({ name, value }) => [name, value]));
    });

    after(() => server?.stop());

    for (const { name, value } of recorded) {
      it(name, () => {
        assert.deepEqual(facts.get(name), value);
      });
    }
  });
}
