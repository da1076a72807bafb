import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { gatehouseimagesV1alpha1 } from "@gatehouse/envelopes/types";
import { compileGlobs } from "../glob/glob.js";
import { imageReferenceProblem } from "../images/check-image-reference.js";
import { parseImageReference } from "../images/image-reference.js";
import { compileImageRules } from "./compile-image-rules.js";
import { imageRulesProblems } from "./validate-image-rules.js";

const sha = `sha256:${"0a".repeat(32)}`;
const expires = "2030-01-01T00:00:00Z" as unknown as gatehouseimagesV1alpha1.ImageException["expires"];
const now = Date.parse("2029-12-31T00:00:00Z");
const document: gatehouseimagesV1alpha1.ImageRules = {
  default: "Deny",
  rules: [
    { name: "no-latest", action: "Deny", tags: ["latest"], reason: "say which version" },
    { name: "own", action: "Allow", registries: ["registry.example.com:5000"], repositories: ["team/*"] },
    {
      name: "mirrors",
      action: "Allow",
      registries: ["*.mirror.example.com"],
      requireDigest: true,
      reason: "tags move",
    },
    { name: "system", action: "Allow", namespaces: ["kube-*"] },
  ],
  exceptions: [
    { name: "lab", reason: "trying things", expires, namespaces: ["lab-*"], registries: ["docker.io"] },
    {
      name: "ticket",
      reason: "approved",
      expires,
      annotation: { key: "x.image-policy.k8s.io/ticket", value: "T-1" },
      repositories: ["library/nginx"],
    },
  ],
};

describe("Image rules", () => {
  const rules = compileImageRules(document);
  const decide = (image: string, namespace = "default", annotations: Record<string, string> = {}, at = now) =>
    Object.values(rules.decide(image, { namespace, annotations: new Map(Object.entries(annotations)) }, at));
  const rows: readonly [string, Parameters<typeof decide>, ReturnType<typeof decide>][] = [
    [
      "the first rule that fits decides",
      ["registry.example.com:5000/team/a:1"],
      [true, "own", '"registry.example.com:5000/team/a:1" is allowed by rule "own"'],
    ],
    [
      "an image without tag is the latest",
      ["registry.example.com:5000/team/a"],
      [false, "no-latest", '"registry.example.com:5000/team/a" is denied by rule "no-latest": say which version'],
    ],
    [
      "another port is another registry",
      ["registry.example.com/team/a:1"],
      [false, "default", '"registry.example.com/team/a:1" is denied: no rule fits it'],
    ],
    [
      "all lists must fit",
      ["registry.example.com:5000/other/a:1"],
      [false, "default", '"registry.example.com:5000/other/a:1" is denied: no rule fits it'],
    ],
    [
      "a digest is required",
      ["eu.mirror.example.com/a:1"],
      [false, "mirrors", '"eu.mirror.example.com/a:1" is denied by rule "mirrors", which requires a digest: tags move'],
    ],
    [
      "a digest is enough",
      [`eu.mirror.example.com/a@${sha}`],
      [true, "mirrors", `"eu.mirror.example.com/a@${sha}" is allowed by rule "mirrors": tags move`],
    ],
    [
      "rules may count in some namespaces only",
      ["nginx:1", "kube-system"],
      [true, "system", '"nginx:1" is allowed by rule "system"'],
    ],
    [
      "exceptions count by namespace",
      ["nginx", "lab-1"],
      [true, "lab", '"nginx" is allowed by exception "lab": trying things'],
    ],
    [
      "exceptions count by annotation",
      ["nginx:1", "default", { "x.image-policy.k8s.io/ticket": "T-1" }],
      [true, "ticket", '"nginx:1" is allowed by exception "ticket": approved'],
    ],
    [
      "another value is no exception",
      ["nginx:1", "default", { "x.image-policy.k8s.io/ticket": "T-2" }],
      [false, "default", '"nginx:1" is denied: no rule fits it'],
    ],
    [
      "an exception that has expired is told of",
      ["nginx:1", "lab-1", {}, Date.parse("2030-01-01T00:00:00Z")],
      [
        false,
        "default",
        '"nginx:1" is denied: no rule fits it (exception "lab" has expired at 2030-01-01T00:00:00.000Z)',
      ],
    ],
    [
      "what is no image is denied, whatever fits",
      ["team/CASE:1", "kube-system"],
      [false, "invalid", '"team/CASE:1" is no image: the repository must be lower-case words, separated by slashes'],
    ],
  ];
  for (const [name, asked, expected] of rows) {
    test(name, () => assert.deepEqual(decide(...asked), expected));
  }

  test("the next expiry is told, as decisions are remembered until then", () => {
    assert.equal(rules.nextExpiry(now), Date.parse("2030-01-01T00:00:00Z"));
    assert.equal(rules.nextExpiry(Date.parse("2030-01-01T00:00:00Z")), Number.POSITIVE_INFINITY);
  });

  test("only what rules look at tells uses apart", () => {
    const part = (namespace: string, ticket: string, of = rules) =>
      of.relevantPart({
        namespace,
        annotations: new Map([
          ["x.image-policy.k8s.io/ticket", ticket],
          ["y", ticket],
        ]),
      });
    assert.equal(part("a", "1"), part("a", "1"));
    assert.notEqual(part("a", "1"), part("b", "1"));
    assert.notEqual(part("a", "1"), part("a", "2"));
    const simple = compileImageRules({ default: "Allow", rules: [{ name: "a", action: "Deny", tags: ["latest"] }] });
    assert.equal(part("a", "1", simple), part("b", "2", simple));
  });

  test("what the shape does not tell is checked", () => {
    const broken: gatehouseimagesV1alpha1.ImageRules = {
      default: "Deny",
      rules: [
        { name: "a", action: "Deny", requireDigest: true },
        { name: "a", action: "Allow" },
        { name: "default", action: "Allow" },
      ],
      exceptions: [
        { name: "b", reason: "", expires: "tomorrow" as unknown as typeof expires },
        { name: "c", reason: "", expires, annotation: { key: "ticket" } },
      ],
    };
    assert.deepEqual(imageRulesProblems(document), []);
    assert.deepEqual(
      imageRulesProblems(broken).map(({ path, text }) => `${path}: ${text}`),
      [
        "rules[0].requireDigest: makes sense with the action Allow only",
        'rules[1].name: "a" is taken already',
        "rules[2].name: must be a name other than default and invalid",
        "exceptions[0].expires: must be a time such as 2030-01-31T00:00:00Z",
        "exceptions[0]: must say what it fits: namespaces, an annotation, registries, repositories or tags",
        "exceptions[1].annotation.key: must fit *.image-policy.k8s.io/*, or API servers do not tell of it",
      ],
    );
  });
});

describe("A pattern", () => {
  const rows: readonly [pattern: string, fits: readonly string[], fitsNot: readonly string[]][] = [
    ["a", ["a"], ["", "aa", "b"]],
    ["*", ["", "a", "a/b"], []],
    ["a*", ["a", "ab"], ["ba"]],
    ["*a", ["a", "ba"], ["ab"]],
    ["a*a", ["aa", "aba"], ["a"]],
    ["a*b*c", ["abc", "a1b2c", "abbc"], ["ac", "acb", "abcd"]],
    ["a**b", ["ab", "axb"], ["a"]],
    ["*.example.com", ["r.example.com"], ["example.com", "r.example.com.evil"]],
    ["a.b", ["a.b"], ["axb"]],
  ];
  for (const [pattern, fits, fitsNot] of rows) {
    test(`${pattern} fits what it should`, () => {
      const glob = compileGlobs([pattern]);
      assert.deepEqual(
        fits.filter((text) => !glob(text)),
        [],
      );
      assert.deepEqual(
        fitsNot.filter((text) => glob(text)),
        [],
      );
    });
  }

  test("takes time in proportion to its length, however many stars it has", () => {
    const glob = compileGlobs([`${"*a".repeat(5000)}*b`]);
    const text = "a".repeat(100_000);
    const startedAt = process.cpuUsage();
    assert.equal(glob(text), false);
    assert.ok(process.cpuUsage(startedAt).user < 10e6);
  });
});

describe("The grammar of images", () => {
  const problemOf = (image: string) => imageReferenceProblem(image, parseImageReference(image));
  for (const image of [
    "nginx",
    "nginx:1.25_a-b.c",
    "a/b__c/d--e:x",
    `localhost:5000/a@${sha}`,
    "[::1]:5000/a",
    `r.io/a:1@${sha}`,
    "127.0.0.1/a",
  ]) {
    test(`has ${image}`, () => assert.equal(problemOf(image), undefined));
  }
  const repository = "the repository must be lower-case words, separated by slashes";
  const rows: readonly [string, string][] = [
    ["", repository],
    ["a//b", repository],
    ["a/", repository],
    ["-a", repository],
    ["a___b", repository],
    ["a b", repository],
    ["nginx:", "the tag is not valid"],
    ["nginx:-1", "the tag is not valid"],
    [`nginx:${"a".repeat(129)}`, "the tag is not valid"],
    ["nginx@", "the digest is not valid"],
    ["nginx@sha256:abc", "the digest is not valid"],
    [`nginx@${sha.toUpperCase()}`, "the digest is not valid"],
    ["-r.io/a", "the registry is no host name"],
    ["r..io/a", "the registry is no host name"],
    ["r.io:x/a", "the registry is no host name"],
    [`r.io/${"a".repeat(255)}`, "the name is longer than 255 characters"],
  ];
  for (const [image, problem] of rows) {
    test(`has not ${JSON.stringify(image.slice(0, 40))}`, () => assert.equal(problemOf(image), problem));
  }
});
