import assert from "node:assert/strict";
import { test } from "node:test";
import { type GoUrl, GoUrlError, parseGoUrl } from "./url.js";

const none: GoUrl = { scheme: "", host: "", user: undefined, query: "", fragment: "" };

const parsed: readonly [text: string, parts: Partial<GoUrl>][] = [
  ["https://a.example.com:8443/b?c=d#e", { scheme: "https", host: "a.example.com:8443", query: "c=d", fragment: "e" }],
  ["HTTPS://A", { scheme: "https", host: "A" }],
  ["https:a", { scheme: "https" }],
  ["//a/b", { host: "a" }],
  ["/b", {}],
  ["", {}],
  ["https://u:p%20q@a", { scheme: "https", host: "a", user: "u:p%20q" }],
  ["https://u%3Av$&+,;=@a", { scheme: "https", host: "a", user: "u%3Av$&+,;=" }],
  ["https://[::1]:8443/", { scheme: "https", host: "[::1]:8443" }],
  ["https://[fe80::1%25eth0]/", { scheme: "https", host: "[fe80::1%eth0]" }],
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
