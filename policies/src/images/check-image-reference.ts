import type { ImageReference } from "./image-reference.js";
import { isDockerHubOnOtherPort } from "./image-registry.js";

/** The longest name of a registry and repository together. */
const maxNameLength = 255;

const hostPart = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
// One character is decided on at a time: nothing here can be matched in two ways.
const registryPattern = new RegExp(`^(?:${hostPart}(?:\\.${hostPart})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?$`);
const pathPartPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^[a-zA-Z0-9_][a-zA-Z0-9_.-]{0,127}$/;
/** Digits of the digests that runtimes know. */
const digestLengths: ReadonlyMap<string, number> = new Map([
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
]);

/**
 * Returns the problem with an image name by the grammar of container runtimes; undefined for none. `image` is the name
 * as it was written, `reference` its parsed form.
 */
export function imageReferenceProblem(image: string, reference: ImageReference): string | undefined {
  const { registry, repository, tag, digest } = reference;
  if (registry.length + repository.length + 1 > maxNameLength) {
    return `the name is longer than ${maxNameLength} characters`;
  }
  if (!registryPattern.test(registry)) {
    return "the registry is no host name";
  }
  if (isDockerHubOnOtherPort(registry)) {
    return "docker.io is served on port 443 only";
  }
  if (!repository.split("/").every((part) => pathPartPattern.test(part))) {
    return "the repository must be lower-case words, separated by slashes";
  }
  const named = image.includes("@") ? image.slice(0, image.indexOf("@")) : image;
  if ((tag !== "" || named.endsWith(":")) && !tagPattern.test(tag)) {
    return "the tag is not valid";
  }
  return (digest !== "" || image.includes("@")) && !isDigest(digest) ? "the digest is not valid" : undefined;
}

function isDigest(digest: string): boolean {
  const [, algorithm = "", hex = ""] = /^([a-z0-9]+):([0-9a-f]+)$/.exec(digest) ?? [];
  return hex !== "" && hex.length === digestLengths.get(algorithm);
}
