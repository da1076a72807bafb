import assert from "node:assert/strict";
import { test } from "node:test";
import { mediaTypeProblem } from "./media-type-problem.js";

test("a Content-Type has the faults that Go's mime.ParseMediaType finds", () => {
  const types: readonly (readonly [string, string | undefined])[] = [
    ["application/json", undefined],
    ["odd", undefined],
    [" Application/JSON ; charset=utf-8", undefined],
    ["application/json;", undefined],
    ["application/json; ", undefined],
    ['text/plain; a="b\\"c;" ; a="b\\"c;"', undefined],
    ["odd type", "mime: expected slash after first token"],
    ["/json", "mime: no media type"],
    [";", "mime: no media type"],
    ["application/", "mime: expected token after slash"],
    ["application/json, text/plain", "mime: unexpected content after media subtype"],
    ["application/json; charset", "mime: invalid media parameter"],
    ["application/json; =b", "mime: invalid media parameter"],
    ['application/json; a="b', "mime: invalid media parameter"],
    ["application/json;; a=b", "mime: invalid media parameter"],
    ["application/json; a=b c", "mime: invalid media parameter"],
    ["application/json; a=b; A=c", "mime: duplicate parameter name"],
  ];
  for (const [type, problem] of types) {
    assert.equal(mediaTypeProblem(type), problem, type);
  }
});
