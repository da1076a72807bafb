import type { JsonValue } from "../../json/json.js";
import { YamlBlockCollectionReader } from "./block-collection-reader.js";
import { YamlBlockNodeReader } from "./block-node-reader.js";
import { YamlComposer } from "./composer.js";
import { YamlCursor } from "./cursor.js";
import { readDirective, readDirectives } from "./directives.js";
import { YamlFlowReader } from "./flow-reader.js";
import type { Frame } from "./frames.js";
import type { BlockPlace, Place } from "./place.js";
import { YamlScalarReader } from "./scalar-reader.js";

/**
 * Reads one YAML document as gopkg.in/yaml.v2 does, step by step, so that reading can pause after every one. Time grows with
 * the length of the text.
 */
export class YamlReader {
  readonly #cursor: YamlCursor;
  readonly #composer: YamlComposer;
  readonly #flow: YamlFlowReader;
  readonly #blockNodes: YamlBlockNodeReader;
  readonly #blockCollections: YamlBlockCollectionReader;
  /** The place of the node that must be read next; undefined where the list or map that is open tells what comes. */
  #place: Place | undefined;
  #isDone = false;

  constructor(text: string) {
    const cursor = new YamlCursor(text);
    const composer = new YamlComposer(cursor);
    const scalars = new YamlScalarReader(cursor, composer, readDirectives(cursor));
    this.#cursor = cursor;
    this.#composer = composer;
    this.#flow = new YamlFlowReader(cursor, composer, scalars);
    this.#blockNodes = new YamlBlockNodeReader(cursor, composer, scalars, this.#flow);
    this.#blockCollections = new YamlBlockCollectionReader(cursor, composer, scalars, this.#flow);
    this.#place = topPlace(cursor);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get value(): JsonValue {
    return this.#composer.value;
  }

  /** Characters of the text, and of what aliases stand for. */
  get length(): number {
    return this.#cursor.text.length + this.#composer.anchors.aliasedLength;
  }

  /** Messages of v1.29 about keys given twice; at most a hundred. */
  get duplicateKeys(): readonly string[] {
    return this.#composer.duplicateKeys;
  }

  /** Reads a little further. Throws DecodeError. */
  step(): void {
    if (this.#blockNodes.isInBlockScalar) {
      this.#blockNodes.stepInBlockScalar();
      return;
    }
    const frame = this.#composer.innermost;
    if (this.#place !== undefined) {
      this.#place = this.#readNode(this.#place);
    } else if (frame !== undefined) {
      this.#place = this.#stepInCollection(frame);
    } else {
      this.#endDocument();
    }
  }

  #readNode(place: Place): Place | undefined {
    if (place !== "flow") {
      return this.#blockNodes.read(place);
    }
    this.#flow.readNode();
    return undefined;
  }

  #stepInCollection(frame: Frame): Place | undefined {
    if (frame.indent === undefined) {
      return this.#flow.step(frame);
    }
    return frame.type === "list"
      ? this.#blockCollections.stepInList(frame, frame.indent)
      : this.#blockCollections.stepInMap(frame, frame.indent);
  }

  #endDocument(): void {
    this.#cursor.skipToToken("line");
    if (this.#cursor.atDirective) {
      readDirective(this.#cursor);
    }
    this.#composer.check();
    // What follows is the next document's affair, which nobody reads.
    this.#isDone = true;
  }
}

/** Returns the place of the outermost node: behind `---` no map or list by indentation may begin on the same line. */
function topPlace({ text, at, column }: YamlCursor): BlockPlace {
  return { indent: -1, mayStartBlock: column === 0 || !text.startsWith("---", at - 3), mayBeLevel: false };
}
