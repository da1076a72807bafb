import { goQuote } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, type JsonValue, listAt, textAt } from "@gatehouse/envelopes/json";
import { fractionalBytes } from "../../fractional-bytes.js";

const seccompAnnotationPrefix = "container.seccomp.security.alpha.kubernetes.io/";

/** Returns the warnings about the containers of a pod or template, whose path is empty or ends with a dot. */
export function containerWarnings(spec: JsonObject, annotations: JsonObject, path: string): readonly string[] {
  return allContainers(spec, `${path}spec`).flatMap(([container, at]) => [
    ...seccompWarnings(container, annotations, `${path}metadata.annotations`),
    ...["memory", "ephemeral-storage"].flatMap((resource) =>
      ["limits", "requests"].flatMap((member) =>
        fractionalBytes(
          isSet(container, "resources") ? (container["resources"] as JsonObject)[member] : undefined,
          `${at}.resources.${member}`,
          resource,
        ),
      ),
    ),
    ...variableWarnings(listAt(container, "env"), `${at}.env`),
  ]);
}

/** Returns every container of a pod with its path. */
export function allContainers(spec: JsonObject, at: string): readonly (readonly [JsonObject, path: string])[] {
  return ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    (listAt(spec, list) as JsonObject[]).map((container, index) => [container, `${at}.${list}[${index}]`] as const),
  );
}

function seccompWarnings(container: JsonObject, annotations: JsonObject, at: string): readonly string[] {
  const annotation = `${seccompAnnotationPrefix}${textAt(container, "name")}`;
  return !isSet(container, "securityContext", "seccompProfile") && Object.hasOwn(annotations, annotation)
    ? [`${at}[${annotation}]: non-functional in v1.27+; use the "seccompProfile" field instead`]
    : [];
}

/** Returns warnings for variables that are set again, unless the new value extends the old one: `X=$(X):more`. */
function variableWarnings(variables: readonly JsonValue[], at: string): readonly string[] {
  const warnings: string[] = [];
  const seen = new Set<string>();
  for (const [index, variable] of variables.entries()) {
    const name = textAt(variable, "name");
    if (seen.has(name) && !extendsItself(name, variable)) {
      warnings.push(`${at}[${index}]: hides previous definition of ${goQuote(name)}`);
    }
    seen.add(name);
  }
  return warnings;
}

function extendsItself(name: string, variable: JsonValue): boolean {
  const value = textAt(variable, "value");
  const reference = `$(${name})`;
  return !isSet(variable, "valueFrom") && value !== reference && value.includes(reference);
}
