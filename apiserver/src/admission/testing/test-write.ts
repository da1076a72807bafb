import type { JsonObject } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import type { UserInfo } from "../../request/user-info.js";
import { AdmissionAttributes, type Operation } from "../attributes.js";

/** A write that a plugin is asked about in a test: a CREATE of a ConfigMap in the namespace `n` unless it says otherwise. */
export interface TestWrite {
  readonly operation?: Operation;
  readonly group?: string;
  readonly version?: string;
  readonly kind?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  readonly user?: UserInfo;
  readonly dryRun?: boolean;
  readonly options?: JsonObject;
  /** Called with the record of changes (`--admission-blame`). */
  readonly tellBlame?: (text: string) => void;
  /** The list that warnings are added to. */
  readonly warnings?: string[];
  /** Aborts when nobody waits for the outcome any more. */
  readonly signal?: AbortSignal;
  /** Called between steps that may take long whatever the object. */
  readonly yield?: StepContext["yield"];
}

/** Makes the attributes of a write as verbs make them. */
export function testAttributes(write: TestWrite): AdmissionAttributes {
  const { operation = "CREATE", group = "", version = "v1", kind = "ConfigMap", resource = "configmaps" } = write;
  const { namespace = "n", name = "", subresource = "", object, oldObject, options = {}, dryRun = false } = write;
  return new AdmissionAttributes({
    operation,
    caller: {
      user: write.user ?? { username: "u", groups: [] },
      agent: "",
      info: { namespace, name, subresource },
      signal: write.signal ?? new AbortController().signal,
      warn: (message) => write.warnings?.push(message),
      yield: write.yield ?? (() => undefined),
      yieldIfLarge: () => undefined,
      tellBlame: write.tellBlame,
    },
    kind: { group, version, kind },
    resource: { group, version, resource },
    subresource,
    object,
    oldObject,
    options,
    dryRun,
  });
}
