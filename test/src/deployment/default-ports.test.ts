import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { deployFolder, servicePorts } from "./deployment-files.js";

const root = join(deployFolder, "..");

/** The port that a command listens on when it is told none. */
function defaultPort(workspace: string, command: string, ...argv: readonly string[]): number {
  const { bin } = JSON.parse(readFileSync(join(root, workspace, "package.json"), "utf8"));
  const help = execFileSync(process.execPath, [join(root, workspace, bin[command]), ...argv, "--help"], {
    encoding: "utf8",
  });
  const [, port] = /^ +--(?:secure-)?port int\n(?:.*\n)*?.*\(default (\d+)\)$/m.exec(help) ?? [];
  return Number(port ?? assert.fail(help));
}

test("processes that are started by hand on one machine have different ports, those of deployments", () => {
  const ports = {
    apiserver: defaultPort("server", "gatehouse-apiserver"),
    admission: defaultPort("webhooks", "gatehouse-admission", "serve"),
    "image-review": defaultPort("webhooks", "gatehouse-image-review"),
    authorization: defaultPort("webhooks", "gatehouse-authorization"),
    "token-review": defaultPort("webhooks", "gatehouse-token-review"),
  };
  // Its port stands in its configuration document, whose test says what it is by default.
  const { "audit-sink": _, ...expected } = servicePorts;
  assert.deepEqual(ports, expected);
  const used = [...Object.values(servicePorts), defaultPort("deploy", "gatehouse-dev-identity-provider")];
  assert.equal(new Set(used).size, used.length, used.join(" "));
});
