import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CredentialError } from "./credential-error.js";
import { readExecInfo } from "./exec-info.js";

const v1 = "client.authentication.k8s.io/v1";
const v1beta1 = "client.authentication.k8s.io/v1beta1";
const info = (spec: unknown, apiVersion: unknown = v1, kind: unknown = "ExecCredential") =>
  JSON.stringify({ apiVersion, kind, spec });

describe("KUBERNETES_EXEC_INFO", () => {
  test("is read in both versions, with all that it says of the cluster", () => {
    const cluster = {
      server: "https://10.0.0.1:6443",
      "tls-server-name": "api.example.com",
      "insecure-skip-tls-verify": true,
      "certificate-authority-data": "Q0E=",
      "proxy-url": "http://proxy:3128",
      "disable-compression": true,
      config: { audience: "a" },
    };
    for (const apiVersion of [v1, v1beta1] as const) {
      assert.deepEqual(readExecInfo(info({ interactive: true, cluster }, apiVersion), false), {
        apiVersion,
        interactive: true,
        cluster,
      });
    }
  });

  test("may hold what we do not know, and null for what is not there", () => {
    assert.deepEqual(readExecInfo(info({ interactive: false, cluster: null, later: 1 }), true), {
      apiVersion: v1,
      interactive: false,
    });
  });

  test("of v1beta1 need not say whether the plugin may read what is typed: old clients let it at a terminal", () => {
    assert.equal(readExecInfo(info({}, v1beta1), true).interactive, true);
    assert.equal(readExecInfo(info({}, v1beta1), false).interactive, false);
  });

  const notSet =
    "KUBERNETES_EXEC_INFO is not set: this program is run by clients such as kubectl, as users[].user.exec of a kubeconfig says";
  const versions = `apiVersion must be ${v1} or ${v1beta1}, not`;
  const refused: readonly [string, string | undefined, string][] = [
    ["nothing", undefined, notSet],
    ["an empty text", "", notSet],
    ["what is not JSON", "{", "KUBERNETES_EXEC_INFO: is not JSON"],
    ["a list", "[]", "KUBERNETES_EXEC_INFO: the value must be an object"],
    ["null", "null", "KUBERNETES_EXEC_INFO: the value must be an object"],
    ["another kind", info({}, v1, "Pod"), 'KUBERNETES_EXEC_INFO: kind must be ExecCredential, not "Pod"'],
    ["no kind", info({}, v1, null), "KUBERNETES_EXEC_INFO: kind must be ExecCredential, not null"],
    [
      "v1alpha1",
      info({ interactive: true }, "client.authentication.k8s.io/v1alpha1"),
      `KUBERNETES_EXEC_INFO: ${versions} "client.authentication.k8s.io/v1alpha1"`,
    ],
    ["no version", info({ interactive: true }, null), `KUBERNETES_EXEC_INFO: ${versions} null`],
    ["no spec", info(undefined), "KUBERNETES_EXEC_INFO: spec must be an object"],
    ["v1 without interactive", info({}), "KUBERNETES_EXEC_INFO: spec.interactive must be true or false"],
    [
      "interactive as text",
      info({ interactive: "true" }),
      "KUBERNETES_EXEC_INFO: spec.interactive must be true or false",
    ],
    [
      "a cluster without a server",
      info({ interactive: true, cluster: {} }),
      "KUBERNETES_EXEC_INFO: spec.cluster.server must be a URL",
    ],
    [
      "a cluster as text",
      info({ interactive: true, cluster: "c" }),
      "KUBERNETES_EXEC_INFO: spec.cluster must be an object",
    ],
    [
      "a field of the cluster of another type",
      info({ interactive: true, cluster: { server: "https://a", "proxy-url": 1 } }),
      "KUBERNETES_EXEC_INFO: spec.cluster.proxy-url must be a string",
    ],
  ];
  for (const [what, text, message] of refused) {
    test(`is refused: ${what}`, () => {
      assert.throws(() => readExecInfo(text, false), new CredentialError(message));
    });
  }
});
