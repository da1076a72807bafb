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
  // Spellings; what containerd reads was asked of github.com/distribution/reference v0.5.0.
  ["docker.io/nginx", "docker.io", "library/nginx", "", ""],
  ["index.docker.io/nginx", "docker.io", "library/nginx", "", ""],
  ["registry-1.docker.io/library/nginx:1", "docker.io", "library/nginx", "1", ""],
  ["registry.hub.docker.com/team/app", "docker.io", "team/app", "", ""],
  ["DOCKER.IO:0443/nginx", "docker.io", "library/nginx", "", ""],
  ["R.IO:443/team/app", "r.io", "team/app", "", ""],
  ["r.io:80/team/app", "r.io:80", "team/app", "", ""],
  ["r.io:05000/team/app", "r.io:5000", "team/app", "", ""],
  ["UPPER/case", "upper", "case", "", ""],
  ["LOCALHOST/app", "localhost", "app", "", ""],
  ["[0:0::1]:443/app", "[::1]", "app", "", ""],
  ["docker.io", "docker.io", "library/docker.io", "", ""],
  ["a:5000", "docker.io", "library/a", "5000", ""],
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
