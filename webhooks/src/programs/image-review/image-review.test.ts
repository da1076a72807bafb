import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createLogger } from "@gatehouse/component-base/logs";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { printedBy, reviewProgramContract } from "../review-program/review-program.test.support.js";
import { ImageDecisions } from "./decide-images.js";
import { imageReviewEndpoint } from "./image-review-endpoint.js";
import { openReloadingImageRules } from "./reloading-image-rules.js";
import { runImageReview } from "./run-image-review.js";

const folder = mkdtempSync(join(tmpdir(), "gatehouse-image-review-"));
after(() => rmSync(folder, { recursive: true }));
const rulesFile = join(folder, "rules.yaml");
const writeRules = (text: string): void =>
  writeFileSync(rulesFile, `apiVersion: config.gatehouse.dev/v1alpha1\nkind: ImageRules\n${text}`);

const own = `default: Deny
rules:
- {name: own, action: Allow, registries: [registry.example.com]}
`;

async function open(text: string) {
  writeRules(text);
  const lines: string[] = [];
  const logger = createLogger({ name: "test", format: "text", write: (line) => lines.push(line) });
  const rules = await openReloadingImageRules({ file: rulesFile, logger });
  let time = Date.parse("2029-12-31T23:59:59Z");
  const metrics = createMetricsRegistry({ processMetrics: false });
  const decisions = new ImageDecisions({ now: () => time, metrics });
  const endpoint = await imageReviewEndpoint({ decisions, rules: () => rules.current });
  const call = { signal: new AbortController().signal };
  return {
    rules,
    lines,
    metrics,
    endpoint,
    setTime: (iso: string) => {
      time = Date.parse(iso);
    },
    /** The status of the answer, and how many images were decided on for it. */
    async ask(images: readonly string[], rest: JsonObject = {}) {
      const before = decisions.decided;
      const spec = { containers: images.map((image) => ({ image })), namespace: "n", ...rest };
      const review = {
        apiVersion: "imagepolicy.k8s.io/v1alpha1",
        kind: "ImageReview",
        metadata: { creationTimestamp: null },
        spec,
      };
      const { body, outcome } = await endpoint.answer(review, call);
      const { status, ...envelope } = body as { readonly status: JsonObject };
      assert.deepEqual(envelope, { apiVersion: "imagepolicy.k8s.io/v1alpha1", kind: "ImageReview" });
      assert.equal(outcome, status["allowed"] === true ? "allowed" : "denied");
      return { ...status, decided: decisions.decided - before };
    },
  };
}

describe("Image review", () => {
  test("answers with the rules that have decided, and decides on each image once", async () => {
    const { ask, rules, metrics } = await open(own);
    using _ = rules;
    const { hash } = rules.current;
    assert.match(hash, /^[0-9a-f]{16}$/);
    const allowed = { allowed: true, auditAnnotations: { rule: "own", "rules-hash": hash } };
    assert.deepEqual(await ask(["registry.example.com/a:1", "registry.example.com/a:1"]), { ...allowed, decided: 1 });
    assert.deepEqual(await ask(["registry.example.com/a:1"], { namespace: "other" }), { ...allowed, decided: 0 });
    const denied = {
      allowed: false,
      reason: '"nginx" is denied: no rule fits it',
      auditAnnotations: { rule: "default", "rules-hash": hash },
    };
    assert.deepEqual(await ask(["registry.example.com/a:1", "nginx"]), { ...denied, decided: 1 });
    assert.deepEqual(await ask(["nginx"]), { ...denied, decided: 0 });
    assert.deepEqual(await ask([]), { allowed: true, auditAnnotations: { "rules-hash": hash }, decided: 0 });
    assert.match(
      await metrics.render(),
      /^gatehouse_image_review_decisions_total\{source="rules"\} 2\ngatehouse_image_review_decisions_total\{source="cache"\} 3$/m,
    );
    const many = await ask(Array.from({ length: 250 }, (_, index) => `image${index}`));
    assert.equal(many.decided, 250);
    assert.match(
      String((many as JsonObject)["reason"]),
      /^"image0" is denied: .*"image4" is denied: no rule fits it; and 245 more$/,
    );
  });

  test("follows its rules as they are replaced, and keeps them when the new ones cannot be used", async () => {
    const { ask, rules, lines } = await open(own);
    using _ = rules;
    const before = rules.current.hash;
    assert.equal((await ask(["nginx"])).decided, 1);
    writeRules("default: Allow\n# the rest is gone\n");
    assert.equal(await rules.checkNow(), "reloaded");
    assert.notEqual(rules.current.hash, before);
    const { decided, ...status } = await ask(["nginx"]);
    assert.deepEqual([decided, (status as JsonObject)["allowed"]], [1, true]);
    const inForce = rules.current.hash;
    for (const broken of ["default: Perhaps\n", "default: Deny\nrules: [{name: a}]\n", "{"]) {
      writeRules(broken);
      assert.equal(await rules.checkNow(), "refused");
      assert.equal(rules.current.hash, inForce);
    }
    assert.equal(lines.filter((line) => line.includes("keeping the old ones")).length, 3);
    rmSync(rulesFile);
    assert.equal(await rules.checkNow(), "refused");
    writeRules(own);
    assert.equal(await rules.checkNow(), "reloaded");
    assert.equal(rules.current.hash, before, "the same rules have the same hash");
    assert.equal((await ask(["nginx"])).decided, 0, "and what was decided under them still holds");
  });

  test("tells of exceptions that have expired when it reads its rules", async () => {
    const exception = (name: string, expires: string): string =>
      `- {name: ${name}, reason: trial, expires: "${expires}", namespaces: [lab]}`;
    const exceptions = [exception("old", "2001-02-03T04:05:06Z"), exception("far", "9999-01-01T00:00:00Z")];
    const { rules, lines } = await open(`${own}exceptions:\n${exceptions.join("\n")}\n`);
    using _ = rules;
    const told = lines.filter((line) => line.includes("an exception has expired"));
    assert.equal(told.length, 1);
    assert.match(told[0] ?? "", /WARN.* path="exceptions\[0\]" expired=2001-02-03T04:05:06\.000Z reason=trial/);
  });

  test("the rules that come with the project can be used", async () => {
    const path = "../../../../policies/library/image-rules/image-rules.yaml";
    using rules = await openReloadingImageRules({ file: fileURLToPath(new URL(path, import.meta.url)) });
    const use = { namespace: "default", annotations: new Map<string, string>() };
    const verdict = rules.current.rules.decide("nginx", use, Date.now());
    assert.deepEqual(verdict, {
      isAllowed: false,
      decidedBy: "no-latest",
      reason: '"nginx" is denied by rule "no-latest": say which version you mean',
    });
  });

  test("an exception counts for its namespace and annotation, until it expires", async () => {
    const { ask, rules, setTime } = await open(`default: Deny
exceptions:
- name: ticket
  reason: approved
  expires: "2030-01-01T00:00:00Z"
  namespaces: [lab-*]
  annotation: {key: x.image-policy.k8s.io/ticket, value: T-1}
`);
    using _ = rules;
    const asked = async (namespace: string, ticket: string) =>
      (await ask(["nginx:1"], { namespace, annotations: { "x.image-policy.k8s.io/ticket": ticket } })) as JsonObject;
    const first = await asked("lab-1", "T-1");
    assert.deepEqual([first["allowed"], (first["auditAnnotations"] as JsonObject)["rule"]], [true, "ticket"]);
    assert.equal((await asked("lab-1", "T-2"))["allowed"], false);
    assert.equal((await asked("prod", "T-1"))["allowed"], false);
    assert.equal((await asked("lab-1", "T-1"))["decided"], 0);
    setTime("2030-01-01T00:00:00Z");
    const late = await asked("lab-1", "T-1");
    assert.deepEqual(
      [late["allowed"], late["reason"]],
      [false, '"nginx:1" is denied: no rule fits it (exception "ticket" has expired at 2030-01-01T00:00:00.000Z)'],
    );
  });

  test("what is no review is a 400 that says why", async () => {
    const { endpoint, rules } = await open(own);
    using _ = rules;
    const problemOf = async (review: JsonObject) => {
      try {
        await endpoint.answer(review, { signal: new AbortController().signal });
      } catch (error) {
        assert.ok(error instanceof StatusError);
        return `${error.code} ${error.message}`;
      }
      return "answered";
    };
    const envelope = { apiVersion: "imagepolicy.k8s.io/v1alpha1", kind: "ImageReview" };
    assert.equal(await problemOf({}), "400 null of null is no ImageReview of imagepolicy.k8s.io/v1alpha1");
    assert.equal(
      await problemOf({ ...envelope, spec: { containers: [{ image: 1 }], annotations: { a: [] } } }),
      "400 ImageReview: spec.containers[0].image: must be string; spec.annotations.a: must be string",
    );
    assert.equal(
      await problemOf({ ...envelope, spec: { containers: Array.from({ length: 5001 }, () => ({ image: "a" })) } }),
      "400 ImageReview: spec.containers: has more than 5000 items",
    );
    assert.equal(await problemOf({ ...envelope, spec: { containers: null, later: true } }), "answered");
  });
});

describe("gatehouse-image-review", () => {
  const run = printedBy(runImageReview);
  reviewProgramContract("gatehouse-image-review", run);

  test("does not start half-right", async () => {
    writeRules("default: Deny\nrules: [{name: a, action: Allow, tag: [x]}, {name: b}]\n");
    const pair = ["--tls-cert-file=/no/such", "--tls-private-key-file=/no/such"];
    assert.deepEqual(await run(`--config=${rulesFile}`, ...pair), [
      1,
      `gatehouse-image-review: ${rulesFile}: 2 problems:\n  - rules[0].tag: is not a member of this kind\n  - rules[1].action: is required`,
    ]);
    writeRules(own);
    const [code, problem] = await run(`--config=${rulesFile}`, ...pair);
    assert.equal(code, 1);
    assert.match(problem, /callers: nothing says who may call/);
  });
});
