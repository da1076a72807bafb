import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createApiClient } from "../spec/support/api-client.js";
import { startTestServer, type TestServer } from "../support/start-test-server.js";
import { tokenFile } from "./cast.js";
import { acts, attempt } from "./escalation.js";
import { type Answered, type Play, play } from "./play.js";
import { readRecording } from "./recording.js";

describe("Under roles and nodes, every request of every user gets the answer of v1.29:", () => {
  const recorded = readRecording();
  let folder: string;
  let server: TestServer;
  let played: Play;
  let attempted: readonly Answered[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "gatehouse-authorization-"));
    const tokens = join(folder, "tokens.csv");
    writeFileSync(tokens, tokenFile);
    server = await startTestServer({
      flags: [
        "--authorization-mode=Node,RBAC",
        `--token-auth-file=${tokens}`,
        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement,NodeRestriction",
      ],
    });
    using client = createApiClient(server.anonymousConfig);
    played = await play(client);
    attempted = await attempt(client);
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  for (const [name, answers] of Object.entries(recorded.play)) {
    it(name, () => {
      assert.deepEqual(played[name], answers);
    });
  }

  for (const [index, { by, method, path }] of acts.entries()) {
    it(`step ${index} towards more rights: ${method} ${path} by ${by}`, () => {
      assert.deepEqual(attempted[index], recorded.attempt[index]);
    });
  }
});
