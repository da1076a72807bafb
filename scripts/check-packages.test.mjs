import assert from "node:assert/strict";
import { test } from "node:test";
import { findMisplaced, findUnpublished } from "./check-packages.mjs";

test("packages: compiled sources, their maps and the manifest pass", () => {
  const paths = ["package.json", "dist/main.js", "dist/main.js.map", "dist/contest/latest.js", "dist/testing.js"];
  assert.deepEqual(findMisplaced("server", { bin: { x: "./dist/main.js" } }, paths), []);
});

for (const path of [
  "dist/a.test.js",
  "dist/a.test.d.ts",
  "dist/a.test.support.js",
  "dist/a-fixture.js",
  "dist/fixtures/x.json",
]) {
  test(`packages: ${path} is not published`, () => {
    assert.deepEqual(findMisplaced("server", {}, [path]), [
      `server: ${path} belongs to the tests, so it must not be published`,
    ]);
  });
}

test("packages: what package.json names is there", () => {
  const manifest = {
    bin: { x: "./dist/main.js" },
    exports: { ".": { types: "./dist/i.d.ts", default: "./dist/i.js" } },
  };
  assert.deepEqual(findMisplaced("server", manifest, ["dist/i.js"]), [
    "server: dist/main.js is named by package.json but would not be published",
    "server: dist/i.d.ts is named by package.json but would not be published",
  ]);
});

test("packages: what is published needs nothing that is private", () => {
  const manifest = {
    dependencies: { "@gatehouse/envelopes": "0.1.0", "@gatehouse/test": "0.1.0" },
    devDependencies: { "@gatehouse/crash-testing": "0.1.0" },
  };
  assert.deepEqual(findUnpublished("server", manifest, new Set(["@gatehouse/test", "@gatehouse/crash-testing"])), [
    "server: @gatehouse/test is private, so it must not be among the dependencies",
  ]);
});
