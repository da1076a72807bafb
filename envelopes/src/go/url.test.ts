import assert from "node:assert/strict";
import { test } from "node:test";
import { GoUrlError } from "../errors.js";
import { escapeGoPath, type GoUrl, parseGoRequestUrl, parseGoUrl } from "./url.js";

const none: GoUrl = { scheme: "", host: "", user: undefined, opaque: "", path: "", query: "", fragment: "" };

const parsed: readonly [text: string, parts: Partial<GoUrl>][] = [
  [
    "https://a.example.com:8443/b?c=d#e",
    { scheme: "https", host: "a.example.com:8443", path: "/b", query: "c=d", fragment: "e" },
  ],
  ["HTTPS://A", { scheme: "https", host: "A" }],
  ["https:a", { scheme: "https", opaque: "a" }],
  ["//a/b", { host: "a", path: "/b" }],
  ["/b", { path: "/b" }],
  ["*", { path: "*" }],
  ["///a", { path: "///a" }],
  ["https://a/%2F?b", { scheme: "https", host: "a", path: "/%2F", query: "b" }],
  ["", {}],
  ["https://u:p%20q@a", { scheme: "https", host: "a", user: "u:p%20q" }],
  ["https://u%3Av$&+,;=@a", { scheme: "https", host: "a", user: "u%3Av$&+,;=" }],
  ["https://[::1]:8443/", { scheme: "https", host: "[::1]:8443", path: "/" }],
  ["https://[fe80::1%25eth0]/", { scheme: "https", host: "[fe80::1%eth0]", path: "/" }],
  ["https://[::ffff:10.0.0.1]", { scheme: "https", host: "[::ffff:10.0.0.1]" }],
  ["https://a?", { scheme: "https", host: "a" }],
  ["https://a#%20", { scheme: "https", host: "a", fragment: " " }],
];

for (const [text, parts] of parsed) {
  test(`${JSON.stringify(text)} is taken apart as Go does`, () =>
    assert.deepEqual(parseGoUrl(text), { ...none, ...parts }));
}

const refused: readonly [text: string, message: string][] = [
  [":a", 'parse ":a": missing protocol scheme'],
  ["a:b/c\n", 'parse "a:b/c\\n": net/url: invalid control character in URL'],
  ["1a:b", 'parse "1a:b": first path segment in URL cannot contain colon'],
  ["https://a b/c", 'parse "https://a b/c": invalid character " " in host name'],
  ["https://a:b/c", 'parse "https://a:b/c": invalid port ":b" after host'],
  ["https://[::1/c", "parse \"https://[::1/c\": missing ']' in host"],
  ["https://[::g]", 'parse "https://[::g]": invalid host: ParseAddr("::g"): unable to parse IP'],
  ["https://[1.2.3.4]", 'parse "https://[1.2.3.4]": invalid IP-literal'],
  ["https://a/%zz#f", 'parse "https://a/%zz": invalid URL escape "%zz"'],
  ["https://a/b#%z", 'parse "https://a/b#%z": invalid URL escape "%z"'],
  ["https://u[@a", 'parse "https://u[@a": net/url: invalid userinfo'],
];

for (const [text, message] of refused) {
  test(`${JSON.stringify(text)} is refused in Go's words`, () => {
    const error = parseGoUrl(text);
    assert.ok(error instanceof GoUrlError);
    assert.equal(error.message, message);
  });
}

test("A URL of a request is an absolute URL or an absolute path, and has no fragment", () => {
  const message = (text: string): string => {
    const error = parseGoRequestUrl(text);
    assert.ok(error instanceof GoUrlError);
    return error.message;
  };
  assert.equal(message(""), 'parse "": empty url');
  assert.equal(message("a/b"), 'parse "a/b": invalid URI for request');
  assert.equal(message("a b#%z"), 'parse "a b#%z": invalid URI for request');
  assert.deepEqual(parseGoRequestUrl("//a/b#c"), { ...none, path: "//a/b#c" });
});

test("A path is written as it was sent, or escaped anew if it has characters that it may not have", () => {
  for (const path of ["", "*", "/a/%2fb/%41", "/a!$&'()*+,;=:@[~]-._", "/%zz"]) {
    assert.equal(escapeGoPath(path), path);
  }
  assert.equal(escapeGoPath('/"a"'), "/%22a%22");
  assert.equal(escapeGoPath("/%2f%41%22!$&'()*+,;=:@[~]-._<"), "//A%22%21$&%27%28%29%2A+,;=:@%5B~%5D-._%3C");
  assert.equal(escapeGoPath("/\u00e9%c3%a9"), "/%C3%A9%C3%A9");
});
