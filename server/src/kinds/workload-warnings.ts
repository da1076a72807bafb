import { metaOf } from "@gatehouse/apiserver/objects";
import type { KindWarnings } from "@gatehouse/apiserver/registry";
import { type JsonObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { validateDns1123Label } from "@gatehouse/envelopes/validation";
import { podTemplateWarnings } from "./core/pod/warnings.js";

/** Options for the warnings about a pod template. */
export interface TemplateWarningsOptions {
  /** The state of an updated object that the warnings are about. Default: `after`. */
  readonly ofUpdate?: "before" | "after";
}

/** Returns a function that warns about the pod template at `path`, on create and when the generation changes. */
export function templateWarnings(
  path: readonly string[],
  { ofUpdate = "after" }: TemplateWarningsOptions = {},
): KindWarnings {
  return (object, old) => {
    if (old !== undefined && metaOf(old).generation === metaOf(object).generation) {
      return [];
    }
    const looksAt = ofUpdate === "before" ? (old ?? object) : object;
    return podTemplateWarnings(valueAt(looksAt, ...path), `${path.join(".")}.`);
  };
}

/**
 * Returns a function that warns as that of `templateWarnings` does, and about a new name that is no host name: it
 * becomes part of pod names.
 */
export function namedTemplateWarnings(path: readonly string[], options: TemplateWarningsOptions = {}): KindWarnings {
  const ofTemplate = templateWarnings(path, options);
  return (object, old) => [...(old === undefined ? nameWarnings(object) : []), ...ofTemplate(object, old)];
}

function nameWarnings(object: JsonObject): readonly string[] {
  const problems = validateDns1123Label(textAt(object, "metadata", "name"));
  return problems.length === 0
    ? []
    : [
        `metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended: [${problems.join(" ")}]`,
      ];
}
