import assert from "node:assert/strict";
import { test } from "node:test";
import {
  checkAnnotationKey,
  checkDns1035Label,
  checkDns1123Label,
  checkDns1123Subdomain,
  checkLabelName,
  checkLabelValue,
  checkPathSegmentName,
  checkQualifiedName,
  checkSubdomainName,
  type ValueCheck,
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

const rows: readonly [what: string, check: ValueCheck, value: string, problems: readonly string[]][] = [
  ["label", checkDns1123Label, "my-name", []],
  ["label", checkDns1123Label, "0", []],
  ["label", checkDns1123Label, "", [label]],
  ["label", checkDns1123Label, "My", [label]],
  ["label", checkDns1123Label, "a-", [label]],
  ["label", checkDns1123Label, "a.b", ["must not contain dots"]],
  ["label", checkDns1123Label, "a".repeat(64), ["must be no more than 63 characters"]],
  ["subdomain", checkDns1123Subdomain, "a.b-c.0", []],
  ["subdomain", checkDns1123Subdomain, "a..b", [subdomain]],
  ["subdomain", checkDns1123Subdomain, "a_b", [subdomain]],
  ["subdomain", checkDns1123Subdomain, "a\n", [subdomain]],
  ["subdomain", checkDns1123Subdomain, `${"a".repeat(253)}_`, ["must be no more than 253 characters", subdomain]],
  ["DNS-1035 label", checkDns1035Label, "a0", []],
  ["DNS-1035 label", checkDns1035Label, "0a", [label1035]],
  ["qualified name", checkQualifiedName, "example.com/My_Name.x", []],
  ["qualified name", checkQualifiedName, "", ["name part must be non-empty", `name part ${qualified}`]],
  ["qualified name", checkQualifiedName, "/a", ["prefix part must be non-empty"]],
  ["qualified name", checkQualifiedName, "A/b", [`prefix part ${subdomain}`]],
  [
    "qualified name",
    checkQualifiedName,
    "a/b/c",
    [`a qualified name ${qualified} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`],
  ],
  ["qualified name", checkQualifiedName, "b".repeat(64), ["name part must be no more than 63 characters"]],
  ["qualified name", checkQualifiedName, "-a", [`name part ${qualified}`]],
  ["label value", checkLabelValue, "", []],
  ["label value", checkLabelValue, "A_b.c", []],
  ["label value", checkLabelValue, "a b", [value]],
  ["label value", checkLabelValue, "a".repeat(64), ["must be no more than 63 characters"]],
  ["annotation key", checkAnnotationKey, "Example.COM/Name", []],
  ["annotation key", checkAnnotationKey, "a b", [`name part ${qualified}`]],
  ["path segment", checkPathSegmentName, "..", ["may not be '..'"]],
  ["path segment", checkPathSegmentName, "a/b%c", ["may not contain '/'", "may not contain '%'"]],
  ["path segment", checkPathSegmentName, "a:b", []],
];

for (const [what, check, text, problems] of rows) {
  test(`${what} ${JSON.stringify(text.length > 40 ? `${text.length} characters` : text)}`, () => {
    assert.deepEqual(check(text), problems);
  });
}

test("a name prefix may end with a dash, a name may not", () => {
  assert.deepEqual(checkSubdomainName("web-", true), []);
  assert.deepEqual(checkSubdomainName("web-", false), [subdomain]);
  assert.deepEqual(checkLabelName("-", true), [label]);
  assert.deepEqual(checkPathSegmentName("..", true), []);
});

test("checks take linear time on hostile input", () => {
  const hostile = `${"a-".repeat(200_000)}!`;
  for (const check of [
    checkDns1123Label,
    checkDns1123Subdomain,
    checkDns1035Label,
    checkQualifiedName,
    checkLabelValue,
  ]) {
    assert.ok(check(hostile).length > 0);
  }
});
