import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bodyEncoding, negotiate, objectOffer, plainOffer, streamOffer } from "./negotiation.js";

const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const yamlTable = `${table.replace("json", "yaml")},application/json`;
const metadata = "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

describe("negotiate", () => {
  const rows: readonly [string, string | undefined, typeof plainOffer, string | undefined][] = [
    ["no header means JSON", undefined, plainOffer, "json"],
    ["an empty header means JSON", "", plainOffer, "json"],
    ["a wildcard means JSON", "*/*", plainOffer, "json"],
    ["a wildcard subtype means JSON", "application/*", plainOffer, "json"],
    ["the first type wins", "application/yaml, application/json", plainOffer, "yaml"],
    ["the better quality wins", "application/json;q=0.5, application/yaml;q=0.8", plainOffer, "yaml"],
    ["a type wins over a wildcard of the same quality", "*/*, application/yaml", plainOffer, "yaml"],
    ["a browser gets JSON", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", plainOffer, "json"],
    ["unknown parameters do not matter", "application/json;charset=utf-8", plainOffer, "json"],
    ["quality 0 is better than nothing", "application/json;q=0", plainOffer, "json"],
    ["quality 0 is worse than any other", "application/json;q=0,application/yaml;q=0.1", plainOffer, "yaml"],
    ["nothing known", "text/html", plainOffer, undefined],
    ["an object member is no media type", "constructor", plainOffer, undefined],
    ["kubectl's header asks for a table", `${table},application/json`, objectOffer, "json Table v1"],
    ["what has no tables falls back", `${table},application/json`, plainOffer, "json"],
    ["tables have no protobuf form", table.replace("json", "vnd.kubernetes.protobuf"), objectOffer, undefined],
    ["metadata in protobuf", metadata, objectOffer, "protobuf PartialObjectMetadata v1"],
    ["a transformation of another group is none", `${table}x`, objectOffer, undefined],
    ["a group without a transformation is none", "application/json;g=meta.k8s.io;v=v1", objectOffer, undefined],
    ["YAML has no streams", "application/yaml", streamOffer, undefined],
    ["a stream is refused to who likes YAML better", "application/json;q=0.5,application/yaml", streamOffer, undefined],
    ["a stream is refused to who likes a table in YAML better", yamlTable, streamOffer, undefined],
    [
      "a stream goes to who likes JSON as much and names it first",
      "application/json,application/yaml",
      streamOffer,
      "json",
    ],
    ["what cannot be read says nothing of YAML", "application/yaml;as=Wrong,application/json", streamOffer, "json"],
    ["protobuf streams", "application/vnd.kubernetes.protobuf;stream=watch", streamOffer, "protobuf"],
  ];
  for (const [name, accept, offer, expected] of rows) {
    test(name, () => {
      assert.equal(choice(accept, offer), expected);
    });
  }

  test("a header that many others have come after is answered as before", () => {
    for (const round of ["once", "again"]) {
      for (const [name, accept, offer, expected] of rows) {
        assert.equal(choice(accept, offer), expected, `${name}, ${round}`);
      }
      for (let i = 0; i < 200; i++) {
        assert.equal(choice(`application/yaml;i=${i}`, plainOffer), "yaml");
      }
    }
  });
});

function choice(accept: string | undefined, offer: typeof plainOffer): string | undefined {
  const chosen = negotiate(accept, offer);
  return chosen === undefined ? undefined : `${chosen.encoding} ${chosen.as ?? ""} ${chosen.asVersion}`.trim();
}

describe("bodyEncoding", () => {
  for (const [contentType, expected] of [
    [undefined, "json"],
    ["", "json"],
    ["application/json", "json"],
    ["Application/JSON; charset=utf-8", "json"],
    ["application/yaml", "yaml"],
    ["application/vnd.kubernetes.protobuf", "protobuf"],
    ["text/plain", undefined],
    ["application/x-www-form-urlencoded", undefined],
    // As v1.29 answered.
    ["application/json; ", "json"],
    ['application/yaml; a="b;\\"c" ; d = e', "yaml"],
    ["application/json; a", undefined],
    ["application/json; =a", undefined],
    ["application/json;;", undefined],
    ['application/json; a="b"c', undefined],
    ["constructor", undefined],
    ["__proto__", undefined],
  ] as const) {
    test(`of ${contentType} is ${expected}`, () => {
      assert.equal(bodyEncoding(contentType), expected);
    });
  }
});
