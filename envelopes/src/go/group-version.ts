/** Reports whether Go can parse an apiVersion: it has one slash at most. */
export function isGroupVersion(apiVersion: string): boolean {
  return apiVersion.split("/").length <= 2;
}

/** Returns an apiVersion as Go prints it: the core group has no name, but its slash. */
export function goGroupVersion(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
}

/** Returns group, version and kind as Go prints them; an apiVersion that it cannot parse counts as empty. */
export function goGroupVersionKind(apiVersion: string, kind: string): string {
  return `${isGroupVersion(apiVersion) ? goGroupVersion(apiVersion) : "/"}, Kind=${kind}`;
}
