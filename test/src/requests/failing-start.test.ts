import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { spawnServer } from "../support/server-program.js";
import { startTestServer } from "../support/start-test-server.js";

describe("A server that cannot start", () => {
  for (const [what, flag, message] of [
    ["the port is taken", (port: number) => `--secure-port=${port}`, /EADDRINUSE/],
    ["the token file is missing", () => "--token-auth-file=/nowhere/tokens", /--token-auth-file/],
  ] as const) {
    it(`says so and ends: ${what}`, async () => {
      await using server = await startTestServer();
      let output = "";
      const flags = [
        "--bind-address=127.0.0.1",
        "--secure-port=0",
        `--tls-cert-file=${server.certificates.serverCertFile}`,
        `--tls-private-key-file=${server.certificates.serverKeyFile}`,
        `--data-dir=${join(server.folder, "other")}`,
        ...server.certificates.serviceAccountFlags,
        flag(server.port),
      ];
      const failing = spawnServer(flags, (text) => {
        output += text;
      });
      await assert.rejects(failing.serving, /ended with 1/);
      assert.match(output, message);
    });
  }
});
