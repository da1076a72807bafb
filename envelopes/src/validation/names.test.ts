import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type ValidateValue,
  validateAnnotationKey,
  validateDns1035Label,
  validateDns1123Label,
  validateDns1123Subdomain,
  validateLabelName,
  validateLabelValue,
  validatePathSegmentName,
  validateQualifiedName,
  validateSubdomainName,
} from "./names.js";

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const label1035 =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const qualified =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
const value =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const rows: readonly [what: string, check: ValidateValue, value: string, problems: readonly string[]][] = [
  ["label", validateDns1123Label, "my-name", []],
  ["label", validateDns1123Label, "0", []],
  ["label", validateDns1123Label, "", [label]],
  ["label", validateDns1123Label, "My", [label]],
  ["label", validateDns1123Label, "a-", [label]],
  ["label", validateDns1123Label, "a.b", ["must not contain dots"]],
  ["label", validateDns1123Label, "a".repeat(64), ["must be no more than 63 characters"]],
  ["subdomain", validateDns1123Subdomain, "a.b-c.0", []],
  ["subdomain", validateDns1123Subdomain, "a..b", [subdomain]],
  ["subdomain", validateDns1123Subdomain, "a_b", [subdomain]],
  ["subdomain", validateDns1123Subdomain, "a\n", [subdomain]],
  ["subdomain", validateDns1123Subdomain, `${"a".repeat(253)}_`, ["must be no more than 253 characters", subdomain]],
  ["DNS-1035 label", validateDns1035Label, "a0", []],
  ["DNS-1035 label", validateDns1035Label, "0a", [label1035]],
  ["qualified name", validateQualifiedName, "example.com/My_Name.x", []],
  ["qualified name", validateQualifiedName, "", ["name part must be non-empty", `name part ${qualified}`]],
  ["qualified name", validateQualifiedName, "/a", ["prefix part must be non-empty"]],
  ["qualified name", validateQualifiedName, "A/b", [`prefix part ${subdomain}`]],
  [
    "qualified name",
    validateQualifiedName,
    "a/b/c",
    [`a qualified name ${qualified} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  ["qualified name", validateQualifiedName, "b".repeat(64), ["name part must be no more than 63 characters"]],
  ["qualified name", validateQualifiedName, "-a", [`name part ${qualified}`]],
  ["label value", validateLabelValue, "", []],
  ["label value", validateLabelValue, "A_b.c", []],
  ["label value", validateLabelValue, "a b", [value]],
  ["label value", validateLabelValue, "a".repeat(64), ["must be no more than 63 characters"]],
  ["annotation key", validateAnnotationKey, "Example.COM/Name", []],
  ["annotation key", validateAnnotationKey, "a b", [`name part ${qualified}`]],
  ["path segment", validatePathSegmentName, "..", ["may not be '..'"]],
  ["path segment", validatePathSegmentName, "a/b%c", ["may not contain '/'", "may not contain '%'"]],
  ["path segment", validatePathSegmentName, "a:b", []],
];

for (const [what, check, text, problems] of rows) {
  test(`${what} ${JSON.stringify(text.length > 40 ? `${text.length} characters` : text)}`, () => {
    assert.deepEqual(check(text), problems);
  });
}

test("a name prefix may end with a dash, a name may not", () => {
  assert.deepEqual(validateSubdomainName("web-", true), []);
  assert.deepEqual(validateSubdomainName("web-", false), [subdomain]);
  assert.deepEqual(validateLabelName("-", true), [label]);
  assert.deepEqual(validatePathSegmentName("..", true), []);
});

test("checks take linear time on hostile input", () => {
  const hostile = `${"a-".repeat(200_000)}!`;
  for (const check of [
    validateDns1123Label,
    validateDns1123Subdomain,
    validateDns1035Label,
    validateQualifiedName,
    validateLabelValue,
  ]) {
    assert.ok(check(hostile).length > 0);
  }
});
