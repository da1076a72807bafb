import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { readAuthorizationConfiguration } from "./authorization-configuration.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-authorization-"));
after(() => rm(folder, { recursive: true }));

const kubeconfig = join(folder, "kubeconfig");
await writeFile(kubeconfig, "");

const read = (authorizers: unknown): Promise<unknown> =>
  readDocument({ apiVersion: "apiserver.config.k8s.io/v1alpha1", kind: "AuthorizationConfiguration", authorizers });

async function readDocument(document: object): Promise<unknown> {
  const file = join(folder, "authorization.yaml");
  await writeFile(file, JSON.stringify(document).replaceAll("KUBECONFIG", kubeconfig).replaceAll("FOLDER", folder));
  try {
    return await readAuthorizationConfiguration(file, undefined);
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.problems.map(({ message }) => message);
    }
    throw error;
  }
}

const webhook = {
  timeout: "3s",
  subjectAccessReviewVersion: "v1",
  failurePolicy: "Deny",
  connectionInfo: { type: "KubeConfigFile", kubeConfigFile: kubeconfig },
};
const conditions = (...expressions: readonly string[]) =>
  hook({
    matchConditionSubjectAccessReviewVersion: "v1",
    matchConditions: expressions.map((expression) => ({ expression })),
  });
const hook = (more: object, name = "w") => ({ type: "Webhook", name, webhook: { ...webhook, ...more } });

describe("A configuration of authorizers", () => {
  test("names them in their order", async () => {
    const entries = [
      hook({}),
      { type: "RBAC", name: "rbac" },
      hook({ authorizedTTL: "1m", failurePolicy: "NoOpinion" }, "x"),
    ];
    const common = {
      type: "Webhook",
      kubeconfigFile: kubeconfig,
      version: "v1",
      unauthorizedTtlMs: 30_000,
      timeoutMs: 3000,
      matchConditions: [],
    };
    assert.deepEqual(await read(entries), [
      { ...common, name: "w", authorizedTtlMs: 300_000, decisionOnError: "deny" },
      { type: "RBAC" },
      { ...common, name: "x", authorizedTtlMs: 60_000, decisionOnError: "noOpinion" },
    ]);
  });

  const rows: readonly [string, unknown, readonly string[]][] = [
    ["is not empty", [], ["authorizers: at least one authorization mode must be defined"]],
    [
      "names what is there",
      [{ type: "X", name: "x" }],
      ['authorizers[0].type: "X" is not one of "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"'],
    ],
    [
      "names built-in ones by their type",
      [{ type: "RBAC", name: "roles" }],
      ["authorizers[0].name: expected name rbac for authorizer RBAC instead of roles"],
    ],
    [
      "names built-in ones once",
      [
        { type: "Node", name: "node" },
        { type: "Node", name: "node" },
      ],
      ['authorizers[1].type: "Node" is there more than once', 'authorizers[1].name: "node" is there more than once'],
    ],
    ["gives webhooks names", [hook({}, "A")], ["authorizers[0].name: authorizer name is invalid"]],
    [
      "says how a webhook is asked",
      [{ type: "Webhook", name: "w" }],
      ["authorizers[0].webhook: required when type=Webhook"],
    ],
    [
      "says so of webhooks only",
      [{ type: "RBAC", name: "rbac", webhook }],
      ["authorizers[0].webhook: may only be specified when type=Webhook"],
    ],
    [
      "lets a webhook take at most 30 s",
      [hook({ timeout: "31s" })],
      ["authorizers[0].webhook.timeout: must be > 0s and <= 30s"],
    ],
    [
      "lets a webhook fail one way or the other",
      [hook({ failurePolicy: "Fail" })],
      ['authorizers[0].webhook.failurePolicy: "Fail" is not one of "NoOpinion", "Deny"'],
    ],
    [
      "knows two versions of reviews",
      [hook({ subjectAccessReviewVersion: "v2" })],
      ['authorizers[0].webhook.subjectAccessReviewVersion: "v2" is not one of "v1", "v1beta1"'],
    ],
    [
      "has absolute paths",
      [hook({ connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "x" } })],
      ["authorizers[0].webhook.connectionInfo.kubeConfigFile: must be an absolute path"],
    ],
    [
      "has match conditions that compile, each of them",
      [conditions("request.usr == 'a'", "request.", "true")],
      [
        "authorizers[0].webhook.matchConditions[0].expression: compilation failed: ERROR: <input>:1:8: undefined field 'usr'\n | request.usr == 'a'\n | .......^",
        "authorizers[0].webhook.matchConditions[1].expression: compilation failed: ERROR: <input>:1:9: Syntax error: no viable alternative at input '.'\n | request.\n | ........^",
      ],
    ],
    [
      "has match conditions that are true or false",
      [conditions("1", "request.groups", "{'a': timestamp(request.user)}", "google.protobuf.BoolValue{}")],
      [
        "authorizers[0].webhook.matchConditions[0].expression: must evaluate to bool but got int",
        "authorizers[0].webhook.matchConditions[1].expression: must evaluate to bool but got list(string)",
        "authorizers[0].webhook.matchConditions[2].expression: must evaluate to bool but got map(string, google.protobuf.Timestamp)",
        "authorizers[0].webhook.matchConditions[3].expression: must evaluate to bool but got wrapper(bool)",
      ],
    ],
    [
      "has match conditions that differ",
      [conditions("true", "true", " ")],
      [
        'authorizers[0].webhook.matchConditions[1].expression: "true" is there more than once',
        "authorizers[0].webhook.matchConditions[2].expression: is required",
      ],
    ],
    [
      "has at most 64 match conditions of a webhook",
      [conditions(...Array.from({ length: 65 }, (_, index) => `${index} == 1`))],
      ["authorizers[0].webhook.matchConditions: must have at most 64 items"],
    ],
    [
      "says which version match conditions are about",
      [hook({ matchConditions: [{ expression: "true" }] })],
      ['authorizers[0].webhook.matchConditionSubjectAccessReviewVersion: "" is not one of "v1"'],
    ],
    [
      "names no kubeconfig of a webhook that is called as the account of a pod",
      [hook({ connectionInfo: { type: "InClusterConfig", kubeConfigFile: kubeconfig } })],
      ["authorizers[0].webhook.connectionInfo.kubeConfigFile: can only be set when type=KubeConfigFile"],
    ],
  ];
  for (const [name, authorizers, expected] of rows) {
    test(name, async () => {
      const problems = (await read(authorizers)) as readonly string[];
      assert.deepEqual(
        problems.map((text, index) => text.slice(0, expected[index]?.length)),
        expected,
      );
    });
  }
});

/** AuthorizationConfigurations, and what kube-apiserver v1.29.0 says of each when it starts. */
const recorded: readonly { readonly name: string; readonly document: object; readonly answer: string }[] = JSON.parse(
  readFileSync(new URL("../../src/authorization/recorded-configurations.json", import.meta.url), "utf8"),
);

describe("An AuthorizationConfiguration that v1.29 refuses is refused for what is wrong in the same place", () => {
  for (const { name, document, answer } of recorded) {
    test(name, async () => {
      const result = (await readDocument(document)) as readonly unknown[];
      if (answer === "accepted") {
        assert.equal(typeof result[0], "object", String(result));
        return;
      }
      const problems = result.map(String);
      assert.ok(problems.length > 0);
      // Members that are missing are told alone: what the others mean may depend on them.
      const isIncomplete = problems.every((text) => text.endsWith(": is required"));
      for (const [, place = ""] of answer.matchAll(/(authorizers\S*): (?:Required|Invalid|Duplicate|Unsupported)/g)) {
        // What v1.29 says of a webhook lacks its member `webhook`.
        const full = place.replace(/\]\.(?!name|type|webhook)/, "].webhook.");
        assert.ok(
          isIncomplete ||
            problems.some((text) => text.startsWith(`${full}: `) || full.startsWith(`${text.split(": ", 1)[0]}.`)),
          `${full} in ${problems.join("; ")}`,
        );
      }
    });
  }
});

test("the configuration in the guide to the authorization server has no problem", async () => {
  const guide = readFileSync(new URL("../../../docs/guides/authorization-server.md", import.meta.url), "utf8");
  const [, document = assert.fail()] =
    /```yaml\n( +apiVersion.*?kind: AuthorizationConfiguration.*?)```/s.exec(guide) ?? [];
  const file = join(folder, "guide.yaml");
  await writeFile(file, document.replace("/etc/gatehouse/authorization.kubeconfig", kubeconfig));
  assert.equal((await readAuthorizationConfiguration(file, undefined)).length, 3);
});
