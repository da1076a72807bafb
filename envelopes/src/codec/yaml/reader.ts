import type { JsonValue } from "../../json/json.js";
import type { Steps } from "../../scheduling/steps.js";
import { DecodeError } from "../decode-error.js";
import { setKey } from "../object-plan.js";
import { maxDepth } from "../parse-json-exactly.js";
import { YamlAnchors } from "./anchors.js";
import { YamlCursor } from "./cursor.js";
import { readDirectives } from "./directives.js";
import { applyMerges, type Frame, keyText, type ListFrame, type MapFrame, noteMerge } from "./frames.js";
import { type NodeProperties, noProperties, readAnchorName, readTag, scalarValue } from "./node-properties.js";
import { readBlockScalar } from "./read-block-scalar.js";
import { readPlain } from "./read-plain.js";
import { readQuoted } from "./read-quoted.js";

const maxDuplicates = 100;

/** The place of the next node. */
interface Place {
  /** Column of the list or map that holds it, -1 at the top; undefined in brackets. */
  readonly indent: number | undefined;
  /** True if a map or list may begin on the line of the indicator before it. */
  readonly mayStartBlock: boolean;
  /** True for the value of a key, below which a list may stand level with the key. */
  readonly mayBeLevel: boolean;
}

/**
 * Reads one YAML document as gopkg.in/yaml.v2 does, step by step: lists and maps that are open are kept on a stack, so
 * that depth costs no call frames and reading can pause after every step. Time grows with the length of the text.
 */
export class YamlReader {
  readonly #cursor: YamlCursor;
  readonly #anchors = new YamlAnchors();
  readonly #stack: Frame[] = [];
  readonly #duplicateKeys: string[] = [];
  #handles: ReadonlyMap<string, string> = new Map();
  #place: Place | undefined;
  /** A block scalar that has been read in part. */
  #scalarSteps: { readonly steps: Steps<string>; readonly own: NodeProperties } | undefined;
  #result: JsonValue = null;
  #isDone = false;

  constructor(text: string) {
    this.#cursor = new YamlCursor(text);
    this.#handles = readDirectives(this.#cursor);
    this.#place = { indent: -1, mayStartBlock: this.#cursor.column === 0 || !this.#isAfterMark(), mayBeLevel: false };
  }

  #isAfterMark(): boolean {
    const { text, at } = this.#cursor;
    return text.startsWith("---", at - 3);
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  get value(): JsonValue {
    return this.#result;
  }

  /** Characters of the text, and of what aliases stand for. */
  get length(): number {
    return this.#cursor.text.length + this.#anchors.aliasedLength;
  }

  /** Messages of v1.29 about keys given twice; at most a hundred. */
  get duplicateKeys(): readonly string[] {
    return this.#duplicateKeys;
  }

  /** Reads a little further. Throws DecodeError. */
  step(): void {
    const frame = this.#stack.at(-1);
    if (this.#scalarSteps !== undefined) {
      this.#stepInBlockScalar(this.#scalarSteps.steps, this.#scalarSteps.own);
    } else if (this.#place !== undefined) {
      this.#node(this.#place);
    } else if (frame === undefined) {
      this.#endDocument();
    } else if (frame.indent === undefined) {
      this.#stepInFlow(frame);
    } else if (frame.type === "list") {
      this.#stepInBlockList(frame, frame.indent);
    } else {
      this.#stepInBlockMap(frame, frame.indent);
    }
  }

  #endDocument(): void {
    // What follows is the next document's affair, which nobody reads.
    this.#isDone = true;
  }

  // Lists and maps by indentation.

  #stepInBlockList(frame: ListFrame, indent: number): void {
    const cursor = this.#cursor;
    cursor.skipToToken("line");
    const { column } = cursor;
    if (cursor.atEnd || cursor.atDocumentMark || column < indent) {
      this.#close(frame);
    } else if (column === indent && this.#atIndicator("-")) {
      cursor.at++;
      this.#place = { indent, mayStartBlock: true, mayBeLevel: false };
    } else if (column === indent && frame.isLevel) {
      this.#close(frame);
    } else {
      throw cursor.parseError("did not find expected '-' indicator");
    }
  }

  #stepInBlockMap(frame: MapFrame, indent: number): void {
    const cursor = this.#cursor;
    cursor.skipToToken("line");
    const { column } = cursor;
    if (frame.key !== undefined) {
      // An explicit key has been read; its value may follow.
      const hasValue = column === indent && this.#atIndicator(":");
      cursor.at += hasValue ? 1 : 0;
      if (!hasValue) {
        this.#deliver(null);
      } else {
        this.#place = { indent, mayStartBlock: true, mayBeLevel: true };
      }
    } else if (cursor.atEnd || cursor.atDocumentMark || column < indent) {
      this.#close(frame);
    } else if (column !== indent) {
      throw this.#unexpectedInMap();
    } else if (this.#atIndicator("?")) {
      cursor.at++;
      frame.expectsKey = true;
      this.#place = { indent, mayStartBlock: true, mayBeLevel: false };
    } else if (this.#atIndicator("-")) {
      throw cursor.parseError("did not find expected key");
    } else {
      this.#blockKey(frame, indent);
    }
  }

  #unexpectedInMap(): DecodeError {
    return this.#atIndicator(":")
      ? this.#cursor.scanError("mapping values are not allowed in this context")
      : this.#unexpected(this.#cursor.peek(), "did not find expected key");
  }

  #blockKey(frame: MapFrame, indent: number): void {
    const cursor = this.#cursor;
    const { at } = cursor;
    const value = this.#oneLineScalar(this.#properties());
    if (value === undefined || !this.#takeColon(false)) {
      if (value === undefined) {
        throw cursor.parseError("did not find expected key");
      }
      cursor.skipToToken("line");
      throw cursor.scanError("could not find expected ':'");
    }
    this.#setKey(frame, value.value, at, value.isMerge);
    this.#place = { indent, mayStartBlock: false, mayBeLevel: true };
  }

  // Lists and maps in brackets.

  #stepInFlow(frame: Frame): void {
    const cursor = this.#cursor;
    if (frame.type === "map" && frame.isPair && frame.key === undefined) {
      this.#close(frame);
      return;
    }
    cursor.skipToToken("flow");
    if (frame.type === "map" && frame.key !== undefined) {
      // An explicit key, or one before a comma.
      const hasValue = cursor.peek() === ":";
      cursor.at += hasValue ? 1 : 0;
      if (hasValue) {
        this.#place = inFlow;
      } else {
        this.#deliver(null);
      }
      return;
    }
    const closing = frame.type === "list" ? "]" : "}";
    const next = cursor.peek();
    if (next === closing) {
      cursor.at++;
      this.#close(frame);
    } else if (frame.needsComma) {
      if (next !== ",") {
        throw this.#unexpected(next, `did not find expected ',' or '${closing}'`);
      }
      cursor.at++;
      frame.needsComma = false;
    } else {
      this.#flowEntry(frame);
    }
  }

  #flowEntry(frame: Frame): void {
    const cursor = this.#cursor;
    if (cursor.atEnd || cursor.atDocumentMark || cursor.peek() === ",") {
      throw cursor.parseError("did not find expected node content");
    }
    const isExplicit = cursor.peek() === "?";
    const map = frame.type === "map" ? frame : undefined;
    if (isExplicit) {
      cursor.at++;
      (map ?? this.#openMap(undefined, noProperties, true)).expectsKey = true;
      this.#place = inFlow;
      return;
    }
    const { at } = cursor;
    const properties = this.#properties();
    const scalar = this.#scalarInFlow(properties);
    if (scalar === undefined) {
      if (map !== undefined) {
        map.expectsKey = true;
      }
      this.#collection(undefined, properties);
    } else if (map !== undefined) {
      this.#setKey(map, scalar.value, at, scalar.isMerge);
    } else if (this.#takeColon(true)) {
      this.#setKey(this.#openMap(undefined, noProperties, true), scalar.value, at, scalar.isMerge);
      this.#place = inFlow;
    } else {
      this.#deliver(scalar.value);
    }
  }

  #scalarInFlow(properties: NodeProperties): OneLineScalar | undefined {
    const next = this.#cursor.peek();
    return next === "[" || next === "{" ? undefined : this.#scalar(properties, undefined);
  }

  // Nodes.

  /** Reads the node at a place: nothing, a scalar, or the beginning of a list or map. */
  #node(place: Place): void {
    this.#place = undefined;
    const cursor = this.#cursor;
    const { indent } = place;
    const where = indent === undefined ? "flow" : place.mayStartBlock ? "block" : "line";
    let isOwnLine = cursor.skipToToken(where).crossedLine;
    if (this.#isNothing(place, isOwnLine)) {
      this.#deliver(null);
      return;
    }
    const start = cursor.at;
    const startColumn = cursor.column;
    let properties = this.#properties();
    let mayBeKey = place.mayStartBlock || isOwnLine;
    let keyColumn = startColumn;
    let outer = noProperties;
    if (properties !== noProperties) {
      const { crossedLine } = cursor.skipToToken(indent === undefined ? "flow" : "line");
      if (this.#isNothing(place, crossedLine || isOwnLine) || (cursor.atEnd && properties !== noProperties)) {
        this.#deliver(this.#named(scalarValue("", properties.tag === undefined, properties.tag), properties));
        return;
      }
      if (crossedLine && indent !== undefined) {
        // They belong to what begins here, which may be a map whose first key has properties of its own.
        outer = properties;
        mayBeKey = true;
        isOwnLine = true;
        keyColumn = cursor.column;
        properties = this.#properties();
        cursor.skipBlanks();
      }
    }
    if (indent === undefined) {
      this.#flowNode(properties);
    } else {
      this.#blockNode(place, { start, keyColumn, mayBeKey, isOwnLine, properties, outer });
    }
  }

  #isNothing(place: Place, crossedLine: boolean): boolean {
    const cursor = this.#cursor;
    const { indent } = place;
    if (indent === undefined) {
      return ",]}".includes(cursor.peek()) && !cursor.atEnd;
    }
    if (cursor.atEnd || cursor.atDocumentMark) {
      return true;
    }
    if (!crossedLine || cursor.column > indent) {
      return false;
    }
    return !(place.mayBeLevel && cursor.column === indent && this.#atIndicator("-"));
  }

  #flowNode(properties: NodeProperties): void {
    const scalar = this.#scalarInFlow(properties);
    if (scalar === undefined) {
      this.#collection(undefined, properties);
    } else {
      this.#deliver(scalar.value);
    }
  }

  #blockNode(place: Place, node: BlockNode): void {
    const cursor = this.#cursor;
    const indent = place.indent as number;
    const { properties, outer } = node;
    const own = properties === noProperties ? outer : properties;
    const { column } = cursor;
    const next = cursor.peek();
    const mayOpen = node.mayBeKey && properties === noProperties;
    if (this.#atIndicator("-")) {
      if (!mayOpen) {
        throw cursor.scanError("block sequence entries are not allowed in this context");
      }
      this.#openList(column, own, column === indent);
    } else if (this.#atIndicator("?")) {
      if (!mayOpen) {
        throw cursor.scanError("mapping keys are not allowed in this context");
      }
      this.#openMap(column, own, false);
    } else if (next === "[" || next === "{") {
      this.#collection(next, own);
    } else if (next === "|" || next === ">") {
      this.#anchors.add();
      const steps = readBlockScalar(cursor, indent);
      this.#scalarSteps = { steps, own };
      this.#stepInBlockScalar(steps, own);
    } else {
      this.#scalarOrMap(indent, node);
    }
  }

  #stepInBlockScalar(steps: Steps<string>, own: NodeProperties): void {
    const step = steps.next();
    if (step.done === true) {
      this.#scalarSteps = undefined;
      this.#deliver(this.#named(scalarValue(step.value, false, own.tag), own));
    }
  }

  /** Reads a scalar, or the map whose first key it is. */
  #scalarOrMap(indent: number, { start, keyColumn, mayBeKey, properties, outer }: BlockNode): void {
    const cursor = this.#cursor;
    const own = properties === noProperties ? outer : properties;
    const before = this.#anchors.count;
    const scalar = this.#scalar(properties, indent + 1);
    // A colon below the scalar, and no further in, belongs to an explicit key.
    const isBelow = !scalar.isOneLine && cursor.column <= indent;
    if (isBelow || !this.#takeColon(false)) {
      this.#deliver(own === outer ? this.#named(scalar.value, outer) : scalar.value);
      return;
    }
    if (!mayBeKey || !scalar.isOneLine) {
      throw cursor.scanError("mapping values are not allowed in this context", cursor.at - 1);
    }
    const map = this.#openMap(keyColumn, outer, false, before);
    this.#setKey(map, scalar.value, start, scalar.isMerge);
    this.#place = { indent: keyColumn, mayStartBlock: false, mayBeLevel: true };
  }

  #properties(): NodeProperties {
    const cursor = this.#cursor;
    let anchor: string | undefined;
    let tag: string | undefined;
    for (;;) {
      const next = cursor.peek();
      if (next === "&" && anchor === undefined) {
        anchor = readAnchorName(cursor);
      } else if (next === "!" && tag === undefined) {
        tag = readTag(cursor, this.#handles);
      } else {
        return anchor === undefined && tag === undefined ? noProperties : { anchor, tag };
      }
      cursor.skipBlanks();
    }
  }

  #oneLineScalar(properties: NodeProperties): OneLineScalar | undefined {
    const next = this.#cursor.peek();
    if ("[{|>".includes(next)) {
      return undefined;
    }
    const scalar = this.#scalar(properties, 0);
    if (!scalar.isOneLine) {
      throw this.#cursor.scanError("could not find expected ':'");
    }
    return scalar;
  }

  /** Reads a scalar; `indent` is the least that further lines of a plain scalar need, undefined in brackets. */
  #scalar(properties: NodeProperties, indent: number | undefined): OneLineScalar {
    const cursor = this.#cursor;
    this.#anchors.add();
    const next = cursor.peek();
    if (next === "*") {
      return { value: this.#anchors.resolve(readAnchorName(cursor)), isOneLine: true, isMerge: false };
    }
    if (next === '"' || next === "'") {
      const start = cursor.at;
      const text = readQuoted(cursor);
      const isOneLine = !cursor.text.slice(start, cursor.at).includes("\n");
      return { value: this.#named(scalarValue(text, false, properties.tag), properties), isOneLine, isMerge: false };
    }
    if (next === "" || this.#cannotStart(next, indent === undefined)) {
      throw this.#unexpected(next, "did not find expected node content");
    }
    const { text, isOneLine } = readPlain(cursor, indent);
    const value = this.#named(scalarValue(text, true, properties.tag), properties);
    return { value, isOneLine, isMerge: text === "<<" && properties.tag === undefined };
  }

  /** Characters that nothing starts with, or else what is wrong with the order of tokens. */
  #unexpected(next: string, problem: string): DecodeError {
    return next !== "" && "\t%@`|>".includes(next)
      ? this.#cursor.scanError("found character that cannot start any token")
      : this.#cursor.parseError(problem);
  }

  #cannotStart(next: string, isInFlow: boolean): boolean {
    if (next === "-" || next === "?" || next === ":") {
      return this.#cursor.isSpace(1) || (isInFlow && next !== "-");
    }
    return "\t,[]{}#&*!|>%@`".includes(next);
  }

  #named(value: JsonValue, { anchor }: NodeProperties): JsonValue {
    if (anchor !== undefined) {
      this.#anchors.define(anchor, value, 1);
    }
    return value;
  }

  #atIndicator(character: string): boolean {
    return this.#cursor.peek() === character && this.#cursor.isSpace(1);
  }

  /** Steps over the colon after a key on the same line. */
  #takeColon(isInFlow: boolean): boolean {
    const cursor = this.#cursor;
    cursor.skipBlanks();
    if (cursor.peek() !== ":" || !(isInFlow || cursor.isSpace(1))) {
      return false;
    }
    cursor.at++;
    return true;
  }

  // What is open.

  #collection(bracket: string | undefined, properties: NodeProperties): void {
    const cursor = this.#cursor;
    const isList = (bracket ?? cursor.peek()) === "[";
    cursor.at++;
    if (isList) {
      this.#openList(undefined, properties, false);
    } else {
      this.#openMap(undefined, properties, false);
    }
  }

  #openList(indent: number | undefined, { anchor }: NodeProperties, isLevel: boolean): void {
    const countBefore = this.#open(anchor);
    this.#stack.push({ type: "list", items: [], indent, isLevel, anchor, countBefore, needsComma: false });
  }

  #openMap(
    indent: number | undefined,
    { anchor }: NodeProperties,
    isPair: boolean,
    countBefore = this.#anchors.count + 1,
  ): MapFrame {
    this.#open(anchor);
    const frame: MapFrame = {
      type: "map",
      members: {},
      indent,
      isPair,
      anchor,
      countBefore,
      key: undefined,
      duplicateLine: undefined,
      expectsKey: false,
      isMerge: false,
      merged: undefined,
      needsComma: false,
    };
    this.#stack.push(frame);
    return frame;
  }

  #open(anchor: string | undefined): number {
    if (this.#stack.length >= maxDepth) {
      throw new DecodeError("yaml: exceeded max depth");
    }
    this.#anchors.add();
    if (anchor !== undefined) {
      this.#anchors.open(anchor);
    }
    return this.#anchors.count;
  }

  #close(frame: Frame): void {
    this.#stack.pop();
    if (frame.type === "map") {
      applyMerges(frame, this.#anchors);
    }
    const value = frame.type === "map" ? frame.members : frame.items;
    if (frame.indent === undefined && this.#stack.at(-1)?.indent !== undefined && this.#takeColon(false)) {
      // JSON has no such keys, so that what it would be the key of need not be known.
      keyText(value);
    }
    if (frame.anchor !== undefined) {
      this.#anchors.define(frame.anchor, value, this.#anchors.count - frame.countBefore + 1);
    }
    this.#deliver(value);
  }

  /** Puts a value where it belongs. */
  #deliver(value: JsonValue): void {
    const frame = this.#stack.at(-1);
    if (frame === undefined) {
      this.#result = value;
    } else if (frame.type === "list") {
      frame.items.push(value);
      frame.needsComma = true;
    } else if (frame.expectsKey) {
      frame.expectsKey = false;
      this.#setKey(frame, value, this.#cursor.at, false);
    } else {
      this.#member(frame, value);
    }
  }

  #member(frame: MapFrame, value: JsonValue): void {
    const key = frame.key ?? "";
    if (frame.isMerge) {
      noteMerge(frame, value);
    } else {
      if (frame.duplicateLine !== undefined) {
        this.#duplicateKeys.push(`line ${frame.duplicateLine}: key ${JSON.stringify(key)} already set in map`);
      }
      setKey(frame.members, key, value);
    }
    frame.key = undefined;
    frame.isMerge = false;
    frame.needsComma = true;
  }

  #setKey(frame: MapFrame, value: JsonValue, at: number, isMerge: boolean): void {
    frame.key = keyText(value);
    // A member is one value, as in JSON: its key has been counted as a scalar.
    this.#anchors.spend(-1);
    frame.isMerge = isMerge;
    const isKnown = !isMerge && this.#duplicateKeys.length < maxDuplicates && Object.hasOwn(frame.members, frame.key);
    frame.duplicateLine = isKnown ? this.#cursor.lineOf(at) + 1 : undefined;
  }
}

const inFlow: Place = { indent: undefined, mayStartBlock: false, mayBeLevel: false };

interface OneLineScalar {
  readonly value: JsonValue;
  readonly isOneLine: boolean;
  readonly isMerge: boolean;
}

interface BlockNode {
  /** The index of the first property, or of the node itself. */
  readonly start: number;
  readonly keyColumn: number;
  /** True if the node may be the first key of a map. */
  readonly mayBeKey: boolean;
  readonly isOwnLine: boolean;
  readonly properties: NodeProperties;
  /** Properties on lines before, which belong to the map if it is one. */
  readonly outer: NodeProperties;
}
