/** The parts of an image's name, as container runtimes read it: what is left out is filled in. */
export interface ImageReference {
  /** Host, perhaps with a port; `docker.io` when the name begins with none. */
  readonly registry: string;
  /** Path in the registry; single names of docker.io are in `library/`. */
  readonly repository: string;
  /** Empty when the name has none: runtimes then take `latest`, unless there is a digest. */
  readonly tag: string;
  /** `sha256:...`, or empty. */
  readonly digest: string;
}

const defaultRegistry = "docker.io";

/** Reads `[registry/]repository[:tag][@digest]`. Names that are none come out with an empty repository. */
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
  if (slash > 0 && (/[.:]/.test(first) || first === "localhost")) {
    return { registry: first, repository: path.slice(slash + 1), tag, digest };
  }
  const repository = path === "" || path.includes("/") ? path : `library/${path}`;
  return { registry: defaultRegistry, repository, tag, digest };
}

/** Whether an image lies in a registry, or below a repository of one: `registry.example.com/team`. */
export function isImageBelow({ registry, repository }: ImageReference, place: string): boolean {
  const wanted = place.replace(/\/+$/, "");
  const full = `${registry}/${repository}`;
  return full === wanted || full.startsWith(`${wanted}/`);
}
