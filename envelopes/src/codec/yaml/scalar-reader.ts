import type { DecodeError } from "../../errors.js";
import type { JsonValue } from "../../json/json.js";
import type { YamlComposer } from "./composer.js";
import type { YamlCursor } from "./cursor.js";
import { hasBreak } from "./line-breaks.js";
import { type NodeProperties, noProperties, readAnchorName, readProperties, readTag } from "./node-properties.js";
import { readBlockScalar } from "./read-block-scalar.js";
import { readPlain } from "./read-plain.js";
import { readQuoted } from "./read-quoted.js";

/** A scalar, or an alias, which may be a key. */
export interface YamlScalar {
  readonly value: JsonValue;
  /** True if it ended on the line on which it began. */
  readonly isOneLine: boolean;
  /** True for a `<<` that is no text: as a key it stands for members of other maps. */
  readonly isMerge: boolean;
}

/** Reads what nodes of all places are made of: properties, and scalars of one token. */
export class YamlScalarReader {
  readonly #cursor: YamlCursor;
  readonly #composer: YamlComposer;
  /** Tag handles that the document declares, with what they stand for. */
  readonly #handles: ReadonlyMap<string, string>;

  constructor(cursor: YamlCursor, composer: YamlComposer, handles: ReadonlyMap<string, string>) {
    this.#cursor = cursor;
    this.#composer = composer;
    this.#handles = handles;
  }

  /** Reads the anchor and the tag before a node. */
  properties(): NodeProperties {
    return readProperties(this.#cursor, this.#handles);
  }

  /** Reads a scalar; `indent` is the least that further lines of a plain scalar need, undefined in brackets. */
  read(properties: NodeProperties, indent: number | undefined): YamlScalar {
    const cursor = this.#cursor;
    this.#composer.anchors.add();
    const next = cursor.peek();
    if (next === "*") {
      return { value: this.#composer.aliased(readAnchorName(cursor)), isOneLine: true, isMerge: false };
    }
    if (next === '"' || next === "'") {
      return this.#quoted(properties);
    }
    if (properties !== noProperties && cursor.atIndicator(":")) {
      return this.empty(properties);
    }
    if (!this.mayBegin(indent === undefined)) {
      throw this.misplaced("did not find expected node content", indent === undefined);
    }
    return this.#plain(properties, indent);
  }

  /** Returns the scalar that has properties and nothing else. */
  empty(properties: NodeProperties): YamlScalar {
    return { value: this.#composer.emptyScalar(properties), isOneLine: true, isMerge: false };
  }

  #quoted(properties: NodeProperties): YamlScalar {
    const cursor = this.#cursor;
    const start = cursor.at;
    const text = readQuoted(cursor);
    const isOneLine = !hasBreak(cursor.text.slice(start, cursor.at));
    const value = this.#composer.scalar(text, false, properties);
    return { value, isOneLine, isMerge: text === "<<" && properties.tag === "merge" };
  }

  #plain(properties: NodeProperties, indent: number | undefined): YamlScalar {
    const { text, isOneLine } = readPlain(this.#cursor, indent);
    const value = this.#composer.scalar(text, true, properties);
    return { value, isOneLine, isMerge: text === "<<" && (properties.tag ?? "merge") === "merge" };
  }

  /** Reports whether a plain or quoted scalar may begin with the next character. */
  mayBegin(isInFlow: boolean): boolean {
    const next = this.#cursor.peek();
    if (next === "-" || next === "?" || next === ":") {
      return !this.#cursor.isSpace(1) && (!isInFlow || next === "-");
    }
    return next !== "" && !"\t,[]{}#&*!|>%@`".includes(next);
  }

  /**
   * Returns the error for a token that stands where the grammar has no place for it. Throws that of a token which cannot be read,
   * since v1.29 reads a token before it looks at its place.
   */
  misplaced(problem: string, isInFlow: boolean): DecodeError {
    const cursor = this.#cursor;
    const error = cursor.parseError(problem);
    const next = cursor.peek();
    if (next === '"' || next === "'") {
      readQuoted(cursor);
    } else if (next === "&" || next === "*") {
      readAnchorName(cursor);
    } else if (next === "!") {
      readTag(cursor, this.#handles);
    } else if (!isInFlow && (next === "|" || next === ">")) {
      readBlockScalar(cursor, 0).next();
    } else if (next !== "" && "\t%@`|>".includes(next)) {
      return cursor.scanError("found character that cannot start any token");
    }
    return error;
  }
}
