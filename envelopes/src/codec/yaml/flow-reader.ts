import type { YamlComposer } from "./composer.js";
import type { YamlCursor } from "./cursor.js";
import type { Frame, MapFrame } from "./frames.js";
import { type NodeProperties, noProperties } from "./node-properties.js";
import type { Place } from "./place.js";
import type { YamlScalar, YamlScalarReader } from "./scalar-reader.js";

/** Reads flow collections, which are lists and maps in brackets, and the nodes in them. */
export class YamlFlowReader {
  readonly #cursor: YamlCursor;
  readonly #composer: YamlComposer;
  readonly #scalars: YamlScalarReader;

  constructor(cursor: YamlCursor, composer: YamlComposer, scalars: YamlScalarReader) {
    this.#cursor = cursor;
    this.#composer = composer;
    this.#scalars = scalars;
  }

  /** Reports whether the next character opens a flow collection. */
  get atCollection(): boolean {
    const next = this.#cursor.peek();
    return next === "[" || next === "{";
  }

  /**
   * Opens the collection whose bracket is the next character. `keyColumn` is that of a map by indentation of which it may be
   * the first key.
   */
  open(properties: NodeProperties, keyColumn?: number): void {
    const isList = this.#cursor.peek() === "[";
    this.#cursor.at++;
    if (isList) {
      this.#composer.openFlowList(properties, keyColumn);
    } else {
      this.#composer.openFlowMap(properties, keyColumn);
    }
  }

  /** Reads a node in brackets: nothing, a scalar, or the beginning of another collection. */
  readNode(): void {
    const cursor = this.#cursor;
    cursor.skipToToken("flow");
    if (!cursor.atEnd && ",]}".includes(cursor.peek())) {
      this.#composer.deliver(null);
      return;
    }
    this.#composer.noteValueLine(cursor.at);
    const properties = this.#scalars.properties();
    if (properties !== noProperties) {
      cursor.skipToToken("flow");
    }
    if (this.atCollection) {
      this.open(properties);
    } else {
      const isEmpty = properties !== noProperties && (cursor.atEnd || behindEmpty.includes(cursor.peek()));
      const value = isEmpty ? this.#composer.emptyScalar(properties) : this.#scalars.read(properties, undefined).value;
      this.#composer.deliver(value);
    }
  }

  /** Reads a little further in a collection. Returns the place of the node that follows. */
  step(frame: Frame): Place | undefined {
    const isMap = frame.type === "map";
    if (isMap && frame.isPair && frame.key === undefined) {
      return this.#composer.close(frame);
    }
    this.#cursor.skipToToken("flow");
    return isMap && frame.key !== undefined ? this.#valueOfKey() : this.#entryOrEnd(frame);
  }

  /** Reads the colon behind an explicit key, or one before a comma. */
  #valueOfKey(): Place | undefined {
    if (this.#cursor.peek() !== ":") {
      return this.#composer.deliver(null);
    }
    this.#cursor.at++;
    return "flow";
  }

  #entryOrEnd(frame: Frame): Place | undefined {
    const cursor = this.#cursor;
    const closing = frame.type === "list" ? "]" : "}";
    const next = cursor.peek();
    if (next === closing) {
      cursor.at++;
      return this.#composer.close(frame);
    }
    if (!frame.needsComma) {
      return this.#entry(frame);
    }
    if (next !== ",") {
      throw this.#scalars.misplaced(`did not find expected ',' or '${closing}'`, true);
    }
    cursor.at++;
    frame.needsComma = false;
    return undefined;
  }

  /** Reads an item of a list, or a key of a map, up to the value. */
  #entry(frame: Frame): Place | undefined {
    const cursor = this.#cursor;
    if (cursor.atEnd || cursor.atDocumentMark || cursor.peek() === ",") {
      throw cursor.parseError("did not find expected node content");
    }
    if (cursor.peek() === "?") {
      return this.#explicitKey(frame);
    }
    const { at } = cursor;
    const properties = this.#scalars.properties();
    cursor.skipToToken("flow");
    if (!this.atCollection) {
      const scalar = this.#scalar(properties);
      return frame.type === "map" ? this.#key(frame, scalar, at) : this.#item(scalar, at);
    }
    if (frame.type === "map") {
      frame.expectsKey = true;
    }
    this.open(properties);
    return undefined;
  }

  #explicitKey(frame: Frame): Place {
    this.#cursor.at++;
    const map = frame.type === "map" ? frame : this.#composer.openPair();
    map.expectsKey = true;
    return "flow";
  }

  #scalar(properties: NodeProperties): YamlScalar {
    const next = this.#cursor.peek() || " ";
    const isEmpty = properties !== noProperties && (next === ":" || behindEmpty.includes(next));
    return isEmpty ? this.#scalars.empty(properties) : this.#scalars.read(properties, undefined);
  }

  #key(map: MapFrame, scalar: YamlScalar, at: number): Place | undefined {
    this.#composer.setKey(map, scalar.value, at, scalar.isMerge);
    return this.#takesColon(scalar) ? "flow" : this.#composer.deliver(null);
  }

  /** Puts an item into a list; with a colon behind it, it is the key of a pair that is the item. */
  #item(scalar: YamlScalar, at: number): Place | undefined {
    if (!this.#takesColon(scalar)) {
      return this.#composer.deliver(scalar.value);
    }
    this.#composer.setKey(this.#composer.openPair(), scalar.value, at, scalar.isMerge);
    return "flow";
  }

  #takesColon({ isOneLine }: YamlScalar): boolean {
    return isOneLine && this.#cursor.takeColon(true);
  }
}

/** Characters behind properties that have no content: what ends a node, and what begins another one. */
const behindEmpty = ",]}&!*";
