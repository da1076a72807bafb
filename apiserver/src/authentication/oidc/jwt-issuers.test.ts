import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { jwtIssuers } from "./jwt-issuers.js";

/** AuthenticationConfigurations, and what kube-apiserver v1.29.0 says of each when it starts. */
const recorded: readonly { readonly name: string; readonly document: object; readonly answer: string }[] = JSON.parse(
  readFileSync(new URL("../../../src/authentication/oidc/recorded-configurations.json", import.meta.url), "utf8"),
);

/** v1.29 takes one of each; later versions, and this server, several. */
const taken = new Set(["two issuers", "two audiences"]);

const folder = await mkdtemp(join(tmpdir(), "gatehouse-issuers-"));
after(() => rm(folder, { recursive: true }));

/** Returns the problems of a document, each with its place. */
async function problemsOf(document: object): Promise<readonly string[]> {
  const configFile = join(folder, "authentication.yaml");
  await writeFile(configFile, JSON.stringify(document));
  try {
    await jwtIssuers({ configFile } as Parameters<typeof jwtIssuers>[0]);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.problems.map(({ message }) => message);
  }
}

describe("An AuthenticationConfiguration that v1.29 refuses is refused for what is wrong in the same place", () => {
  for (const { name, document, answer } of recorded) {
    test(name, async () => {
      const problems = await problemsOf(document);
      if (answer === "accepted" || taken.has(name)) {
        assert.deepEqual(problems, []);
        return;
      }
      assert.notDeepEqual(problems, []);
      const places = [...answer.matchAll(/(jwt\S*): (?:Required|Invalid|Duplicate)/g)].map(([, place = ""]) => place);
      for (const place of places) {
        assert.ok(
          problems.some((text) => isAt(text, place)),
          `${place} in ${problems.join("; ")}`,
        );
      }
    });
  }
});

function isAt(problem: string, place: string): boolean {
  return problem.startsWith(`${place}: `);
}

describe("A problem of an expression in an AuthenticationConfiguration is told in v1.29's text", () => {
  const configuration = (more: object): object => ({
    apiVersion: "apiserver.config.k8s.io/v1alpha1",
    kind: "AuthenticationConfiguration",
    jwt: [
      {
        issuer: { url: "https://issuer.example.com", audiences: ["a"] },
        claimMappings: { username: { claim: "sub", prefix: "" } },
        ...more,
      },
    ],
  });
  const undeclared = (name: string): string =>
    `compilation failed: ERROR: <input>:1:1: undeclared reference to '${name}' (in container '')\n | ${name}.x == 'a'\n | ^`;
  const rows: readonly (readonly [name: string, more: object, problems: readonly string[]])[] = [
    [
      "all of several expressions",
      {
        claimMappings: {
          username: { expression: "user.x == 'a'" },
          groups: { expression: "user.x == 'a'" },
          uid: { expression: "user.x == 'a'" },
          extra: [{ key: "example.com/a", valueExpression: "user.x == 'a'" }],
        },
        claimValidationRules: [{ expression: "user.x == 'a'" }],
        userValidationRules: [{ expression: "claims.x == 'a'" }],
      },
      [
        `jwt[0].claimValidationRules[0].expression: ${undeclared("user")}`,
        `jwt[0].userValidationRules[0].expression: ${undeclared("claims")}`,
        `jwt[0].claimMappings.username.expression: ${undeclared("user")}`,
        `jwt[0].claimMappings.groups.expression: ${undeclared("user")}`,
        `jwt[0].claimMappings.uid.expression: ${undeclared("user")}`,
        `jwt[0].claimMappings.extra[0].valueExpression: ${undeclared("user")}`,
      ],
    ],
    [
      "a rule whose value need not be true or false",
      { claimValidationRules: [{ expression: "claims.x" }], userValidationRules: [{ expression: "user.username" }] },
      [
        "jwt[0].claimValidationRules[0].expression: must evaluate to bool",
        "jwt[0].userValidationRules[0].expression: must evaluate to bool",
      ],
    ],
    [
      "a field that users do not have",
      { userValidationRules: [{ expression: "user.name == 'a'" }] },
      [
        "jwt[0].userValidationRules[0].expression: compilation failed: ERROR: <input>:1:5: undefined field 'name'\n | user.name == 'a'\n | ....^",
      ],
    ],
    [
      "a claim and an expression for one thing",
      {
        claimMappings: {
          username: { claim: "sub", expression: "claims.sub" },
          uid: { claim: "sub", expression: "claims.sub" },
        },
        claimValidationRules: [{ claim: "a", expression: "true" }],
      },
      [
        "jwt[0].claimValidationRules[0]: claim and expression can't both be set",
        "jwt[0].claimMappings.username: claim and expression can't both be set",
        "jwt[0].claimMappings.uid: claim and expression can't both be set",
      ],
    ],
  ];
  for (const [name, more, problems] of rows) {
    test(name, async () => assert.deepEqual(await problemsOf(configuration(more)), problems));
  }
});

test("the configuration in the guide to OIDC has no problem", async () => {
  const guide = readFileSync(new URL("../../../../docs/guides/oidc-login.md", import.meta.url), "utf8");
  const [, document = assert.fail()] = /```yaml\n(.*?kind: AuthenticationConfiguration.*?)```/s.exec(guide) ?? [];
  const configFile = join(folder, "guide.yaml");
  await writeFile(configFile, document);
  const issuers = await jwtIssuers({ oidc: undefined, configFile });
  assert.deepEqual(
    issuers.map(({ url }) => url),
    ["https://login.example.com"],
  );
});
