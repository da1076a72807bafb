import type { JsonObject } from "@gatehouse/envelopes/json";

/** One way from a version of a custom kind to another. */
export interface ConverterOptions<From, To> {
  /** Plural name of the resource, and its group: together the name of its definition. */
  readonly resource: string;
  readonly group: string;
  readonly kind: string;
  /** Versions, without the group. */
  readonly from: string;
  readonly to: string;
  /**
   * Makes the object of the other version. It gets a copy of its own. apiVersion and metadata are seen to: of the
   * metadata only labels and annotations may differ. Throw NotConvertible for an object that has no form in the other
   * version; to throw anything else is to fail.
   */
  convert(object: From): To | Promise<To>;
}

/** A declared converter. What it takes and gives is known to its author; the server sends JSON. */
export type Converter = ConverterOptions<JsonObject, JsonObject>;

/** An object has no form in the version that is asked for. The message reaches the client. */
export class NotConvertible extends Error {
  override readonly name = "NotConvertible";
}

/**
 * Declares a converter. Versions that no converter leads to directly are reached over others.
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
