import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { AdmissionPlugin } from "../admission-plugin.js";
import { type TestWrite, testAttributes } from "./test-write.js";

/** The outcome of a write that one plugin was asked about. */
export interface PluginAnswer {
  /** The object after the plugin's changes. */
  readonly object: JsonObject | undefined;
  /** The code and message of the refusal; undefined when the write is admitted. */
  readonly refusal: readonly [code: number, message: string | undefined] | undefined;
  readonly warnings: readonly string[];
}

/** Takes a write through both phases of one plugin. A plugin that it does not concern admits it. */
export async function askPlugin(plugin: AdmissionPlugin, write: TestWrite): Promise<PluginAnswer> {
  const warnings: string[] = [];
  const object = write.object === undefined ? undefined : structuredClone(write.object);
  const attributes = testAttributes({ ...write, warnings, ...(object === undefined ? {} : { object }) });
  if (plugin.concerns?.(attributes) === false) {
    return { object, refusal: undefined, warnings };
  }
  try {
    await plugin.admit?.(attributes);
    await plugin.validate?.(attributes);
  } catch (error) {
    if (!(error instanceof StatusError)) {
      throw error;
    }
    return { object, refusal: [error.code, error.status.message], warnings };
  }
  return { object, refusal: undefined, warnings };
}
