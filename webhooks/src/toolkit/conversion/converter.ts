import type { JsonObject } from "@gatehouse/envelopes/json";

/** Options of a converter from one version of a custom kind to another. */
export interface ConverterOptions<From, To> {
  /** Plural name of the resource; with its group, the name of its definition. */
  readonly resource: string;
  readonly group: string;
  readonly kind: string;
  /** Version of the objects to convert, without the group. */
  readonly from: string;
  readonly to: string;
  /**
   * Returns the object in the other version. It gets a copy of its own. The caller sets apiVersion and metadata, where
   * only labels and annotations may differ. Throws NotConvertibleError for an object that has no form in the other version;
   * any other error is a failure.
   */
  convert(object: From): To | Promise<To>;
}

/** A declared converter. Its author knows the types of its objects; the server sends JSON. */
export type Converter = ConverterOptions<JsonObject, JsonObject>;

/** Error of an object that has no form in the requested version. The message is sent to the client. */
export class NotConvertibleError extends Error {
  override readonly name = "NotConvertibleError";
}

/**
 * Declares a converter. Versions without a direct converter are reached by way of other versions.
 *
 * @example
 * const up = converter<WidgetV1, WidgetV2>({
 *   resource: "widgets", group: "example.com", kind: "Widget", from: "v1", to: "v2",
 *   convert: ({ spec, ...rest }) => ({ ...rest, spec: { size: { value: spec.size } } }),
 * });
 */
export function converter<From, To>(options: ConverterOptions<From, To>): Converter {
  if (options.from === options.to) {
    throw new TypeError(`converter of ${options.resource}: from and to are both ${options.to}`);
  }
  return Object.freeze({ ...options }) as unknown as Converter;
}
