import assert from "node:assert/strict";
import { test } from "node:test";
import { imageTag } from "./image-tag.js";

const digest = `sha256:${"a".repeat(64)}`;
const rows: readonly (readonly [string, string])[] = [
  ["nginx", "latest"],
  ["nginx:1.25", "1.25"],
  ["registry.example:5000/team/app", "latest"],
  ["registry.example:5000/team/app:v2", "v2"],
  ["localhost/app", "latest"],
  ["REGISTRY/app", "latest"],
  ["[fd00::1]:5000/app:x", "x"],
  [`nginx@${digest}`, ""],
  [`nginx:latest@${digest}`, "latest"],
  ["", ""],
  ["Nginx", ""],
  ["team/App", ""],
  ["nginx:", ""],
  ["nginx@sha256:short", ""],
  ["a".repeat(237), "latest"],
  ["a".repeat(238), ""],
  [`team/${"a".repeat(240)}`, "latest"],
  [`team/${"a".repeat(241)}:x`, ""],
  [`index.docker.io/${"a".repeat(237)}:x`, "x"],
  [`registry.example/${"a".repeat(238)}`, "latest"],
  [`registry.example/${"a".repeat(239)}`, ""],
  ["a".repeat(64), ""],
  ["//", ""],
];

for (const [image, tag] of rows) {
  test(`the tag of ${image.slice(0, 60) || "no image"} is ${tag || "none"}`, () => {
    assert.equal(imageTag(image), tag);
  });
}

test("a long name that nearly matches is refused", () => {
  assert.equal(imageTag(`${"a-".repeat(100_000)}!`), "");
});
