import { metaOf } from "@gatehouse/apiserver/objects";
import type { ResourceStrategy } from "@gatehouse/apiserver/registry";
import { checkDns1123Label, type JsonObject, textAt, valueAt } from "@gatehouse/envelopes";
import { podTemplateWarnings } from "./core/pod/warnings.js";

/** Where the template of pods is, and which state of it is looked at when the object is updated. */
export interface TemplateWarningsOptions {
  /** Default `after`. */
  readonly ofUpdate?: "before" | "after";
}

/**
 * What is said about a kind that makes pods from the template at `path`: on create, and when what is wished for changes.
 */
export function templateWarnings(
  path: readonly string[],
  { ofUpdate = "after" }: TemplateWarningsOptions = {},
): NonNullable<ResourceStrategy["warnings"]> {
  return (object, old) => {
    if (old !== undefined && metaOf(old).generation === metaOf(object).generation) {
      return [];
    }
    const looksAt = ofUpdate === "before" ? (old ?? object) : object;
    return podTemplateWarnings(valueAt(looksAt, ...path), `${path.join(".")}.`);
  };
}

/** The same for kinds whose name becomes part of the names of pods, which are host names. */
export function namedTemplateWarnings(
  path: readonly string[],
  options: TemplateWarningsOptions = {},
): NonNullable<ResourceStrategy["warnings"]> {
  const ofTemplate = templateWarnings(path, options);
  return (object, old) => [...(old === undefined ? nameWarnings(object) : []), ...ofTemplate(object, old)];
}

function nameWarnings(object: JsonObject): readonly string[] {
  const problems = checkDns1123Label(textAt(object, "metadata", "name"));
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
      ];
}
