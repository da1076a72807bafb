import { compileGlobs } from "../glob/glob.js";
import type { ImageReference } from "../images/image-reference.js";
import { namesOfRegistry, normalRegistryPattern } from "../images/image-registry.js";

/** Patterns of the parts of an image; a list that is not given fits anything. */
export interface ImagePattern {
  readonly registries?: readonly string[];
  readonly repositories?: readonly string[];
  readonly tags?: readonly string[];
}

/**
 * Returns a test whether an image matches all lists, however registries are spelled. An image with neither tag nor
 * digest has the tag that runtimes take: `latest`.
 */
export function compileImagePattern({
  registries,
  repositories,
  tags,
}: ImagePattern): (image: ImageReference) => boolean {
  const fitsRegistry = compileGlobs(registries?.map(normalRegistryPattern));
  const fitsRepository = compileGlobs(repositories);
  const fitsTag = compileGlobs(tags);
  return ({ registry, repository, tag, digest }) =>
    namesOfRegistry(registry).some(fitsRegistry) &&
    fitsRepository(repository) &&
    fitsTag(tag === "" && digest === "" ? "latest" : tag);
}
