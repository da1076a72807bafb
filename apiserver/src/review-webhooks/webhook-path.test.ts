import assert from "node:assert/strict";
import { test } from "node:test";
import { servicePathOf, webhookPathOf } from "./webhook-path.js";

test("the path of a URL is joined and escaped as v1.29 does", () => {
  const paths: readonly (readonly [string, string])[] = [
    ["", "/"],
    ["/", "/"],
    ["/a/", "/a"],
    ["//a//b", "/a/b"],
    ["/a/./b/../c", "/a/c"],
    ["/../a", "/a"],
    ["/%2e%2E/a", "/a"],
    ["/a%2Fb", "/a/b"],
    ["/a%20b", "/a%20b"],
    ["/é", "/%C3%A9"],
    ["/%c3%a9%FF", "/%C3%A9%FF"],
    ["/m:a@b,c$d!e'(f)*;g=h&i+j", "/m:a@b,c$d%21e%27%28f%29%2A;g=h&i+j"],
    ["/a%3Fb%23", "/a%3Fb%23"],
    ["/a?b#c", "/a"],
  ];
  for (const [path, written] of paths) {
    assert.equal(webhookPathOf(`https://example.com:8443${path}`), written, path);
  }
});

test("the path of a service has no escapes", () => {
  assert.equal(servicePathOf("a%20b/"), "/a%2520b");
  assert.equal(servicePathOf(""), "/");
});
