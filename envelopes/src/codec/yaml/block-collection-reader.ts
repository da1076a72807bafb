import type { YamlComposer } from "./composer.js";
import type { YamlCursor } from "./cursor.js";
import type { YamlFlowReader } from "./flow-reader.js";
import type { ListFrame, MapFrame } from "./frames.js";
import { noProperties } from "./node-properties.js";
import { behindKey, type Place } from "./place.js";
import type { YamlScalarReader } from "./scalar-reader.js";

/** Reads block collections, which are lists and maps by indentation, but for the nodes in them. */
export class YamlBlockCollectionReader {
  readonly #cursor: YamlCursor;
  readonly #composer: YamlComposer;
  readonly #scalars: YamlScalarReader;
  readonly #flow: YamlFlowReader;

  constructor(cursor: YamlCursor, composer: YamlComposer, scalars: YamlScalarReader, flow: YamlFlowReader) {
    this.#cursor = cursor;
    this.#composer = composer;
    this.#scalars = scalars;
    this.#flow = flow;
  }

  /** Reads a little further in a list whose dashes stand in a column. Returns the place of the node that follows. */
  stepInList(frame: ListFrame, indent: number): Place | undefined {
    const cursor = this.#cursor;
    cursor.skipToToken("line");
    const { column } = cursor;
    if (column < indent || cursor.atDocumentEnd) {
      return this.#composer.close(frame);
    }
    if (column === indent && cursor.atIndicator("-")) {
      cursor.at++;
      return { indent, mayStartBlock: true, mayBeLevel: false };
    }
    if (column === indent && frame.isLevel) {
      return this.#composer.close(frame);
    }
    // A list at the column of its key has no end of its own: what does not belong to it should be the next key.
    throw this.#scalars.misplaced(`did not find expected ${frame.isLevel ? "key" : "'-' indicator"}`, false);
  }

  /** Reads a little further in a map whose keys stand in a column. Returns the place of the node that follows. */
  stepInMap(frame: MapFrame, indent: number): Place | undefined {
    const cursor = this.#cursor;
    if (frame.hasFlowKey) {
      return this.#expectValue(frame, indent);
    }
    cursor.skipToToken("line");
    if (frame.key !== undefined) {
      return this.#valueOfExplicitKey(indent);
    }
    if (cursor.column < indent || cursor.atDocumentEnd) {
      return this.#composer.close(frame);
    }
    return this.#entry(frame, indent);
  }

  #valueOfExplicitKey(indent: number): Place | undefined {
    const cursor = this.#cursor;
    if (cursor.column !== indent || !cursor.atIndicator(":")) {
      return this.#composer.deliver(null);
    }
    cursor.at++;
    return { indent, mayStartBlock: true, mayBeLevel: true };
  }

  #entry(frame: MapFrame, indent: number): Place | undefined {
    const cursor = this.#cursor;
    if (cursor.column !== indent) {
      throw cursor.atIndicator(":")
        ? cursor.scanError("mapping values are not allowed in this context")
        : this.#scalars.misplaced("did not find expected key", false);
    }
    if (cursor.atIndicator("?")) {
      cursor.at++;
      frame.expectsKey = true;
      return { indent, mayStartBlock: true, mayBeLevel: false };
    }
    if (cursor.atIndicator("-")) {
      throw cursor.parseError("did not find expected key");
    }
    return this.#key(frame, indent);
  }

  /** Reads a key, and its colon unless it is a collection in brackets, which has only been opened then. */
  #key(frame: MapFrame, indent: number): Place | undefined {
    const cursor = this.#cursor;
    const { at } = cursor;
    const properties = this.#scalars.properties();
    if (this.#flow.atCollection) {
      frame.expectsKey = true;
      frame.hasFlowKey = true;
      this.#flow.open(properties);
      return undefined;
    }
    const isEmpty = properties !== noProperties && cursor.atIndicator(":");
    if (!isEmpty && cursor.peek() !== "*" && !this.#scalars.mayBegin(false)) {
      throw this.#scalars.misplaced("did not find expected key", false);
    }
    const { value, isOneLine, isMerge } = this.#scalars.read(properties, indent + 1);
    if (!isOneLine) {
      throw cursor.missingColon();
    }
    this.#composer.setKey(frame, value, at, isMerge);
    return this.#expectValue(frame, indent);
  }

  /** Steps over the colon that must follow a key on its line. */
  #expectValue(frame: MapFrame, indent: number): Place {
    frame.hasFlowKey = false;
    if (!this.#cursor.takeColon(false)) {
      throw this.#cursor.missingColon();
    }
    return behindKey(indent);
  }
}
