import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { gatehouseimagesV1alpha1 } from "@gatehouse/envelopes/types";
import { imageRegistries } from "../library/image-registries.js";
import { compileImageRules } from "./compile-image-rules.js";
import { imageRulesProblems } from "./validate-image-rules.js";

const use = { namespace: "default", annotations: new Map<string, string>() };

/** Texts that container runtimes pull the same image for. */
const spellings = {
  hub: ["docker.io", "index.docker.io", "registry-1.docker.io", "registry.hub.docker.com"].flatMap(spellingsOfHost),
  other: spellingsOfHost("evil.example.com"),
  withPort: ["evil.example.com:5000", "Evil.Example.com:5000", "EVIL.EXAMPLE.COM:05000"],
};

function spellingsOfHost(host: string): readonly string[] {
  const cases = [host, host.toUpperCase(), `${host.slice(0, 1).toUpperCase()}${host.slice(1)}`];
  return cases.flatMap((one) => [one, `${one}:443`, `${one}:0443`]);
}

function verdictOf(registry: string, pattern: string, action: "Allow" | "Deny"): string {
  const document: gatehouseimagesV1alpha1.ImageRules = {
    default: action === "Allow" ? "Deny" : "Allow",
    rules: [{ name: "rule", action, registries: [pattern] }],
  };
  assert.deepEqual(imageRulesProblems(document), []);
  return compileImageRules(document).decide(`${registry}/team/app:1`, use, 0).decidedBy;
}

describe("All spellings of an image", () => {
  for (const [name, hosts] of Object.entries(spellings)) {
    for (const action of ["Allow", "Deny"] as const) {
      test(`meet the rule that names any one of them: ${name}, ${action}`, () => {
        for (const pattern of hosts) {
          for (const registry of hosts) {
            assert.equal(verdictOf(registry, pattern, action), "rule", `${registry} by a rule for ${pattern}`);
          }
        }
      });
    }
  }

  test("meet patterns with stars the same, whichever name of Docker Hub the pattern fits", () => {
    for (const pattern of ["*.docker.io", "docker.*", "INDEX.*", "*hub.docker.com", "registry*"]) {
      const verdicts = new Set(spellings.hub.map((registry) => verdictOf(registry, pattern, "Deny")));
      assert.deepEqual([...verdicts], ["rule"], pattern);
    }
    const other = new Set(spellings.other.map((registry) => verdictOf(registry, "*.EXAMPLE.com", "Deny")));
    assert.deepEqual([...other], ["rule"]);
  });

  test("lie below the same places of the hook image-registries", () => {
    for (const [name, hosts] of Object.entries(spellings)) {
      const registries = hosts.map((host) => `${host}/team`);
      const violations = (images: readonly string[], places: readonly string[]) =>
        imageRegistries(
          { metadata: { name }, spec: { containers: images.map((image) => ({ name: "c", image })) } },
          { registries: [...places] },
        ).length;
      for (const place of registries) {
        assert.equal(
          violations(
            registries.map((registry) => `${registry}/app`),
            [place],
          ),
          0,
          place,
        );
      }
      assert.equal(
        violations(
          hosts.map((host) => `${host}/other/app`),
          registries,
        ),
        hosts.length,
      );
    }
  });

  test("other ports stay other registries, and Docker Hub has none", () => {
    assert.equal(verdictOf("evil.example.com:80", "evil.example.com", "Allow"), "default");
    assert.equal(verdictOf("evil.example.com", "evil.example.com:5000", "Allow"), "default");
    for (const registry of ["docker.io:80", "registry-1.docker.io:80", "INDEX.docker.io:5000"]) {
      assert.equal(verdictOf(registry, "*", "Allow"), "invalid");
    }
  });

  test("spellings that runtimes refuse are no images", () => {
    for (const registry of [
      "docker.io.",
      "docker..io",
      "docker.io:",
      "-docker.io",
      "docker_x.io",
      "http://docker.io",
    ]) {
      assert.equal(verdictOf(registry, "*", "Allow"), "invalid", registry);
    }
  });

  test("are told of as they were written and as they were read", () => {
    const rules = compileImageRules({ default: "Deny" });
    const reason = (image: string) => rules.decide(image, use, 0).reason;
    assert.equal(
      reason("INDEX.docker.io/nginx:1"),
      '"INDEX.docker.io/nginx:1" (docker.io/library/nginx) is denied: no rule fits it',
    );
    assert.equal(reason("docker.io/nginx:1"), '"docker.io/nginx:1" is denied: no rule fits it');
  });

  test("the default port behind a star is refused, since it would fit nothing", () => {
    const rules = [{ name: "a", action: "Deny", registries: ["x", "evil*:443"] }] as const;
    assert.deepEqual(imageRulesProblems({ default: "Allow", rules: [...rules] as never }), [
      {
        path: "rules[0].registries[1]",
        text: "must not have the default port 443 behind a star: registries have none",
      },
    ]);
  });
});
