import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ConfigurationError } from "../errors.js";
import { inClusterConfig } from "./in-cluster-config.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-account-"));
after(() => rm(folder, { recursive: true }));

describe("The configuration of a process in a pod", () => {
  test("outside of a pod tells which variables are missing", async () => {
    await assert.rejects(inClusterConfig({ KUBERNETES_SERVICE_HOST: "10.0.0.1" }, folder), (error) => {
      assert.ok(error instanceof ConfigurationError);
      assert.match(error.message, /KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be defined/);
      return true;
    });
  });

  test("without a service account tells which file cannot be read", async () => {
    const environment = { KUBERNETES_SERVICE_HOST: "10.0.0.1", KUBERNETES_SERVICE_PORT: "443" };
    await assert.rejects(inClusterConfig(environment, join(folder, "none")), /none.token: cannot be read \(ENOENT\)/);
  });

  for (const [host, url] of [
    ["10.0.0.1", "https://10.0.0.1:6443/"],
    ["fd00::1", "https://[fd00::1]:6443/"],
  ] as const) {
    test(`names the server ${url} and follows the token and the authority of the service account`, async () => {
      await writeFile(join(folder, "token"), "secret\n");
      await writeFile(join(folder, "ca.crt"), "PEM");
      const environment = { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: "6443" };
      const config = await inClusterConfig(environment, folder);
      assert.equal(config.server.href, url);
      assert.deepEqual(config, {
        server: config.server,
        certificateAuthorityPem: "PEM",
        certificateAuthorityFile: join(folder, "ca.crt"),
        insecureSkipTlsVerify: false,
        authorization: { kind: "tokenFile", path: join(folder, "token"), token: "secret" },
      });
    });
  }
});
