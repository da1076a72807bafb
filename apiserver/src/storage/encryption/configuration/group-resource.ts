/** A resource or a wildcard: `*` stands for all. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** Returns the group and resource of `deployments.apps`, of `secrets` or `*.`, whose group is the core one. */
export function parseGroupResource(text: string): GroupResource {
  const dot = text.indexOf(".");
  return dot < 0 ? { group: "", resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

/** Returns the name of a resource as it stands in a configuration. */
export function groupResourceName({ group, resource }: GroupResource): string {
  if (group === "") {
    return resource === "*" ? "*." : resource;
  }
  return `${resource}.${group}`;
}
