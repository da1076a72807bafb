/**
 * Returns the name of a definition, from the IDL name of a message: `k8s.io.api.apps.v1.Deployment` becomes
 * `io.k8s.api.apps.v1.Deployment`. A dash in a package is an underscore there.
 */
export function definitionName(message: string): string {
  const name = message.startsWith("k8s.io.") ? `io.k8s.${message.slice("k8s.io.".length)}` : message;
  return name.replaceAll("_", "-");
}

/** Returns the IDL name of the message that a definition of this name would be of. */
export function messageName(definition: string): string {
  const name = definition.startsWith("io.k8s.") ? `k8s.io.${definition.slice("io.k8s.".length)}` : definition;
  return name.replaceAll("-", "_");
}

/**
 * Returns the name of a custom kind's definition: `stable.example.com/v1 CronTab` is `com.example.stable.v1.CronTab`.
 */
export function customDefinitionName(group: string, version: string, kind: string): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}
