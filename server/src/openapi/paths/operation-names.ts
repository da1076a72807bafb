import { domain } from "@gatehouse/envelopes";

/** `rbac.authorization.k8s.io` is `RbacAuthorization` in operation ids, `cert-manager.io` is `CertManagerIo`; the core group is `Core`. */
export function groupTitle(group: string): string {
  const suffix = `.${domain}`;
  const name = group === "" ? "core" : group.endsWith(suffix) ? group.slice(0, -suffix.length) : group;
  return name
    .split(/[^A-Za-z0-9_]+/)
    .map(title)
    .join("");
}

/** `RbacAuthorizationV1` */
export function groupVersionTitle(group: string, version: string): string {
  return groupTitle(group) + title(version);
}

/** `rbacAuthorization_v1`; without a version, `rbacAuthorization`. */
export function tagOf(group: string, version?: string): string {
  const name = groupTitle(group);
  const tag = name.charAt(0).toLowerCase() + name.slice(1);
  return version === undefined ? tag : `${tag}_${version}`;
}

/** Returns a word with a capital letter, as the parts of operation ids have it. */
export function title(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
