/** The limit of a name's length in characters, its default registry included: registries refuse longer ones. */
const maxNameLength = 255;
const defaultDomain = "docker.io";
/** The folder of official images, whose names have none. */
const officialFolder = "library";
const pathPattern = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const domainPattern = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const imageIdPattern = /^[a-f0-9]{64}$/;

/**
 * Returns the tag of an image: `latest` when it has neither tag nor digest, empty when it has a digest only, or when it
 * is not an image name at all.
 */
export function imageTag(image: string): string {
  const at = image.indexOf("@");
  const digest = at === -1 ? undefined : image.slice(at + 1);
  const nameAndTag = at === -1 ? image : image.slice(0, at);
  const colon = nameAndTag.indexOf(":", nameAndTag.lastIndexOf("/") + 1);
  const name = colon === -1 ? nameAndTag : nameAndTag.slice(0, colon);
  const tag = colon === -1 ? undefined : nameAndTag.slice(colon + 1);
  const valid =
    isImageName(name) &&
    (tag === undefined || tagPattern.test(tag)) &&
    (digest === undefined || digestPattern.test(digest));
  if (!valid) {
    return "";
  }
  return tag ?? (digest === undefined ? "latest" : "");
}

function isImageName(name: string): boolean {
  if (name.length === 0 || imageIdPattern.test(name)) {
    return false;
  }
  const [first = "", ...rest] = name.split("/");
  const hasDomain = rest.length > 0 && (/[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase());
  if (fullName(first, rest, hasDomain).length > maxNameLength) {
    return false;
  }
  if (hasDomain) {
    return domainPattern.test(first) && rest.every((component) => pathPattern.test(component));
  }
  return pathPattern.test(first) && rest.every((component) => pathPattern.test(component));
}

function fullName(first: string, rest: readonly string[], hasDomain: boolean): string {
  const isDefault = !hasDomain || first === defaultDomain || first === `index.${defaultDomain}`;
  const path = (hasDomain ? rest : [first, ...rest]).join("/");
  const isOfficial = isDefault && !path.includes("/");
  return `${isDefault ? defaultDomain : first}/${isOfficial ? `${officialFolder}/` : ""}${path}`;
}
