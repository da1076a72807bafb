import assert from "node:assert/strict";
import { test } from "node:test";
import { isImageBelow, parseImageReference } from "./image-reference.js";

const rows: readonly [image: string, registry: string, repository: string, tag: string, digest: string][] = [
  ["nginx", "docker.io", "library/nginx", "", ""],
  ["nginx:1.25", "docker.io", "library/nginx", "1.25", ""],
  ["team/app", "docker.io", "team/app", "", ""],
  ["registry.example.com/app:1", "registry.example.com", "app", "1", ""],
  ["localhost/app", "localhost", "app", "", ""],
  ["localhost:5000/a/b", "localhost:5000", "a/b", "", ""],
  ["r.io:5000/a/b:2@sha256:abc", "r.io:5000", "a/b", "2", "sha256:abc"],
  ["app@sha256:abc", "docker.io", "library/app", "", "sha256:abc"],
  ["", "docker.io", "", "", ""],
];

for (const [image, registry, repository, tag, digest] of rows) {
  test(`the image ${JSON.stringify(image)} is ${registry}/${repository}`, () => {
    assert.deepEqual(parseImageReference(image), { registry, repository, tag, digest });
  });
}

test("an image lies below a registry or a repository of it, whole names only", () => {
  const image = parseImageReference("r.io/team/app:1");
  assert.deepEqual(
    ["r.io", "r.io/", "r.io/team", "r.io/team/app", "r.io/te", "r.i", "docker.io"].map((place) =>
      isImageBelow(image, place),
    ),
    [true, true, true, true, false, false, false],
  );
});
