import { readFile } from "node:fs/promises";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { AbacIndex, parseAbacFile } from "@gatehouse/policies/abac";
import type { AuthorizationDecision, Authorizer } from "../authorizer.js";

const allow: AuthorizationDecision = Object.freeze({ decision: "allow", reason: "" });
const noOpinion: AuthorizationDecision = Object.freeze({ decision: "noOpinion", reason: "No policy matched." });

/**
 * Opens the authorizer of `--authorization-mode=ABAC`, by the lines of a file, read once as in v1.29. Rejects with a
 * ConfigurationError that lists every invalid line.
 */
export async function abacAuthorizer(policyFile: string): Promise<Authorizer> {
  const { policies, problems } = parseAbacFile(await read(policyFile));
  if (problems.length > 0) {
    const texts = problems.map(({ line, problem }) => `${policyFile}, line ${line}: ${problem}`);
    throw new ConfigurationError(
      "flags",
      texts.map((text) => problemAt("--authorization-policy-file", text)),
    );
  }
  const index = new AbacIndex(policies);
  return {
    authorize: ({ user, info }) => (index.allows(user, info) ? allow : noOpinion),
    rulesFor: (user, namespace) => ({ rules: index.rulesFor(user, namespace), incomplete: false }),
  };
}

async function read(policyFile: string): Promise<string> {
  try {
    return await readFile(policyFile, "utf8");
  } catch (error) {
    const cause = error instanceof Error ? error.message : "cannot be read";
    throw new ConfigurationError("flags", [problemAt("--authorization-policy-file", cause)]);
  }
}
