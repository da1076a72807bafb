import { domain } from "@gatehouse/envelopes/names";

/**
 * Returns the title of a group in operation ids: `RbacAuthorization` for `rbac.authorization.k8s.io`, `CertManagerIo`
 * for `cert-manager.io`, `Core` for the core group.
 */
export function groupTitle(group: string): string {
  const suffix = `.${domain}`;
  const name = group === "" ? "core" : group.endsWith(suffix) ? group.slice(0, -suffix.length) : group;
  return name
    .split(/[^A-Za-z0-9_]+/)
    .map(title)
    .join("");
}

/** Returns the title of a group version: `RbacAuthorizationV1`. */
export function groupVersionTitle(group: string, version: string): string {
  return groupTitle(group) + title(version);
}

/** Returns the tag of a group version: `rbacAuthorization_v1`; without a version, `rbacAuthorization`. */
export function tagOf(group: string, version?: string): string {
  const name = groupTitle(group);
  const tag = name.charAt(0).toLowerCase() + name.slice(1);
  return version === undefined ? tag : `${tag}_${version}`;
}

/** Returns a word with a capital letter, as the parts of operation ids have it. */
export function title(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
