/**
 * The name of a definition, from the IDL name of a message: `k8s.io.api.apps.v1.Deployment` becomes
 * `io.k8s.api.apps.v1.Deployment`. Underscores stand where a package has a dash.
 */
export function definitionName(message: string): string {
  const name = message.startsWith("k8s.io.") ? `io.k8s.${message.slice("k8s.io.".length)}` : message;
  return name.replaceAll("_", "-");
}

/** The name of the definition of a custom kind: `stable.example.com/v1 CronTab` is `com.example.stable.v1.CronTab`. */
export function customDefinitionName(group: string, version: string, kind: string): string {
  return `${group.split(".").reverse().join(".")}.${version}.${kind}`;
}
