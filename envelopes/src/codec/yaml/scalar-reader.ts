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

/** A scalar or an alias as it is written. Its value depends on its properties, which may be known only from what follows. */
export interface ScalarToken {
  /** The name of an anchor, or the text of a scalar. */
  readonly text: string;
  readonly form: "alias" | "plain" | "quoted" | "empty";
  readonly isOneLine: boolean;
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
    return this.valued(this.token(properties, indent), properties);
  }

  /** Reads a scalar as it is written. `indent` is as in `read`. */
  token(properties: NodeProperties, indent: number | undefined): ScalarToken {
    const cursor = this.#cursor;
    this.#composer.anchors.add();
    const next = cursor.peek();
    if (next === "*") {
      return { text: readAnchorName(cursor), form: "alias", isOneLine: true };
    }
    if (next === '"' || next === "'") {
      const start = cursor.at;
      const text = readQuoted(cursor);
      return { text, form: "quoted", isOneLine: !hasBreak(cursor.text.slice(start, cursor.at)) };
    }
    if (properties !== noProperties && cursor.atIndicator(":")) {
      return emptyToken;
    }
    if (!this.mayBegin(indent === undefined)) {
      throw this.misplaced("did not find expected node content", indent === undefined);
    }
    return { ...readPlain(cursor, indent), form: "plain" };
  }

  /** Returns the scalar that has been read, with its value. */
  valued({ text, form, isOneLine }: ScalarToken, properties: NodeProperties): YamlScalar {
    const composer = this.#composer;
    switch (form) {
      case "alias":
        return { value: composer.aliased(text), isOneLine, isMerge: false };
      case "empty":
        return { value: composer.emptyScalar(properties), isOneLine, isMerge: false };
      default: {
        const isPlain = form === "plain";
        const isMerge = text === "<<" && (properties.tag ?? (isPlain ? "merge" : undefined)) === "merge";
        return { value: composer.scalar(text, isPlain, properties), isOneLine, isMerge };
      }
    }
  }

  /** Returns the scalar that has properties and nothing else. */
  empty(properties: NodeProperties): YamlScalar {
    return this.valued(emptyToken, properties);
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

const emptyToken: ScalarToken = { text: "", form: "empty", isOneLine: true };
