import { defaultRegistry, normalRegistry } from "./image-registry.js";

/**
 * The parts of an image's name as container runtimes read it, with defaults filled in. All spellings of a registry
 * become one, so that rules need not know them.
 */
export interface ImageReference {
  /**
   * The host in lower case, perhaps with a port other than 443; `docker.io` for all hosts of Docker Hub, and for none.
   */
  readonly registry: string;
  /** Path in the registry; single names of docker.io are in `library/`. */
  readonly repository: string;
  /** The tag; empty for none: runtimes then take `latest`, unless there is a digest. */
  readonly tag: string;
  /** The digest, `sha256:...`; empty for none. */
  readonly digest: string;
}

/** Parses `[registry/]repository[:tag][@digest]`. An invalid name gets an empty repository. */
export function parseImageReference(image: string): ImageReference {
  const at = image.indexOf("@");
  const digest = at < 0 ? "" : image.slice(at + 1);
  const named = at < 0 ? image : image.slice(0, at);
  // A colon before the last slash belongs to a port.
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const tag = colon < 0 ? "" : named.slice(colon + 1);
  const path = colon < 0 ? named : named.slice(0, colon);
  const slash = path.indexOf("/");
  const first = path.slice(0, Math.max(slash, 0));
  const registry = isRegistry(first) ? normalRegistry(first) : defaultRegistry;
  const rest = isRegistry(first) ? path.slice(slash + 1) : path;
  const isSingle = registry === defaultRegistry && rest !== "" && !rest.includes("/");
  return { registry, repository: isSingle ? `library/${rest}` : rest, tag, digest };
}

/** Tells whether the first part of a name is a registry. One in upper case is: repositories have no upper case. */
function isRegistry(first: string): boolean {
  return first !== "" && (/[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase());
}

/** Reports whether an image lies in a registry, or below a repository of one: `registry.example.com/team`. */
export function isImageBelow({ registry, repository }: ImageReference, place: string): boolean {
  const [host = "", ...path] = place.replace(/\/+$/, "").split("/");
  const wanted = [normalRegistry(host), ...path].join("/");
  const full = `${registry}/${repository}`;
  return full === wanted || full.startsWith(`${wanted}/`);
}

/**
 * Returns the name of an image for people: as it was written, and as it was read if its registry was spelled
 * differently.
 */
export function describeImage(image: string, { registry, repository }: ImageReference): string {
  const quoted = JSON.stringify(image);
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  return isRegistry(first) && first !== registry ? `${quoted} (${registry}/${repository})` : quoted;
}
