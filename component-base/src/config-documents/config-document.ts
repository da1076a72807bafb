import type { JsonObject } from "@gatehouse/envelopes/json";

/** A configuration document as it was found: in a file, or inside another document. */
export interface ConfigDocument {
  /** Name of the document in messages: the file, and the path to a document that stands in another. */
  readonly subject: string;
  /** The folder that relative file names in the document start from: that of the file in which they stand. */
  readonly folder: string;
  readonly content: JsonObject;
}
