import type { UserInfo } from "../request/user-info.js";

const userPrefix = "system:serviceaccount:";

/** The account that a token names, and the objects that it is bound to. */
export interface ServiceAccountIdentity {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly pod?: { readonly name: string; readonly uid: string } | undefined;
  readonly node?: { readonly name: string; readonly uid: string } | undefined;
  /** The identifier of the token itself. */
  readonly tokenId?: string | undefined;
}

/** The user name of a service account. */
export function serviceAccountUsername(namespace: string, name: string): string {
  return `${userPrefix}${namespace}:${name}`;
}

/** The groups of every service account of a namespace. */
export function serviceAccountGroups(namespace: string): readonly string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** Splits the user name of a service account into namespace and name; undefined for all others. */
export function splitServiceAccountUsername(
  username: string,
): { readonly namespace: string; readonly name: string } | undefined {
  const [namespace, name, ...more] = username.startsWith(userPrefix)
    ? username.slice(userPrefix.length).split(":")
    : [];
  return namespace !== undefined &&
    name !== undefined &&
    more.length === 0 &&
    isLabel(namespace) &&
    name.length <= 253 &&
    name.split(".").every((part) => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(part))
    ? { namespace, name }
    : undefined;
}

function isLabel(text: string): boolean {
  return text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);
}

/** Returns the user of a service account. */
export function serviceAccountUser({ namespace, name, uid, pod, node, tokenId }: ServiceAccountIdentity): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  const tell = (key: string, value: string | undefined): void => {
    if (value !== undefined && value !== "") {
      extra[`authentication.kubernetes.io/${key}`] = [value];
    }
  };
  if (pod !== undefined && pod.name !== "" && pod.uid !== "") {
    tell("pod-name", pod.name);
    tell("pod-uid", pod.uid);
  }
  tell("credential-id", tokenId === undefined || tokenId === "" ? undefined : `JTI=${tokenId}`);
  if (node !== undefined && node.name !== "") {
    tell("node-name", node.name);
    tell("node-uid", node.uid);
  }
  return {
    username: serviceAccountUsername(namespace, name),
    uid,
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  };
}
