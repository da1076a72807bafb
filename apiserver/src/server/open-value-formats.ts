import type { Defaulting } from "@gatehouse/envelopes/defaults";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { TypedValueFormat } from "../forms/at-rest/typed-value-format.js";
import type { ValueFormatOptions } from "../forms/at-rest/value-format-options.js";
import { defaultFeatureGates } from "../options/feature-gates.js";
import { ValueFormats } from "../storage/values/value-formats.js";
import type { ApiServerOptions } from "./api-server-options.js";

/** Opens the table of the formats at rest. Records that are no resources are in it; resources join it when they open. */
export function openValueFormats(
  { storedValues = {}, features = defaultFeatureGates() }: Pick<ApiServerOptions, "storedValues" | "features">,
  { keyPrefix, defaulting }: { readonly keyPrefix: string; readonly defaulting: Defaulting },
): { readonly table: ValueFormats; readonly options: ValueFormatOptions } {
  const { mediaType = mediaTypes.json, isShared = false, primaryFamily = "IPv4", records = [] } = storedValues;
  const options = { mediaType, isShared, defaulting, features, primaryFamily };
  const table = new ValueFormats(keyPrefix);
  for (const record of records) {
    table.set(`${keyPrefix}${record.prefix}/`, new TypedValueFormat(record, options));
  }
  return { table, options };
}
