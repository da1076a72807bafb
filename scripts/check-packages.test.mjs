import assert from "node:assert/strict";
import { test } from "node:test";
import { findLeftOut, findMisplaced, findTooNew, findUnpublished } from "./check-packages.mjs";

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
    devDependencies: { "@gatehouse/bench": "0.1.0" },
  };
  assert.deepEqual(findUnpublished("server", manifest, new Set(["@gatehouse/test", "@gatehouse/bench"])), [
    "server: @gatehouse/test is private, so it must not be among the dependencies",
  ]);
});

test("packages: what is installed runs on the oldest Node.js that is supported", () => {
  const packages = {
    "": { engines: { node: ">=20.19" } },
    "node_modules/any": { version: "1.0.0" },
    "node_modules/old": { version: "1.0.0", engines: { node: "^18 || >=20.18.1" } },
    "node_modules/new": { version: "3.0.0", engines: { node: ">= 22.x" } },
  };
  assert.deepEqual(findTooNew({ packages }), ["node_modules/new 3.0.0 needs Node.js >= 22.x, we support 20.19.0"]);
});

test("packages: the lock file holds the optional dependencies of every platform", () => {
  const packages = {
    "": {},
    server: { version: "0.1.0", optionalDependencies: { fast: "1.0.0" } },
    "node_modules/fast": {
      version: "1.0.0",
      optionalDependencies: { "@fast/linux": "1.0.0", "@fast/darwin": "1.0.0" },
    },
    "node_modules/@fast/linux": { version: "1.0.0" },
    "node_modules/slow": { version: "2.0.0", optionalDependencies: { fast: "2.0.0" } },
    "node_modules/slow/node_modules/fast": { version: "2.0.0" },
  };
  assert.deepEqual(findLeftOut({ packages }), [
    "node_modules/fast 1.0.0 needs @fast/darwin, which package-lock.json does not hold",
  ]);
});
