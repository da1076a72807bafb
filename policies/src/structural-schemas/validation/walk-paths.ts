/** Returns the path of a member, as kube-apiserver writes it; that of the root is empty. */
export function memberPath(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}

/** Returns the path of a value of a map. */
export function keyPath(path: string, key: string): string {
  return `${path}[${key}]`;
}
