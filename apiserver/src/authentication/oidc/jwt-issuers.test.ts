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
          problems.some((text) => isAt(text, place) || isOfExpression(text, place)),
          `${place} in ${problems.join("; ")}`,
        );
      }
    });
  }
});

function isAt(problem: string, place: string): boolean {
  return problem.startsWith(`${place}: `);
}

/**
 * Reports whether a problem refuses an expression: such a place is refused for that, whatever else is wrong with it.
 */
function isOfExpression(problem: string, place: string): boolean {
  const [at = ""] = problem.split(": ", 1);
  return (
    problem.endsWith("expressions come with a later part") && (at.startsWith(place) || parentOf(at) === parentOf(place))
  );
}

function parentOf(place: string): string {
  return place.slice(0, place.lastIndexOf("."));
}
