import { DecodeError } from "../../errors.js";
import type { JsonValue } from "../../json/json.js";
import type { Steps } from "../../scheduling/steps.js";
import { maxDepth } from "../parse-json-exactly.js";
import { YamlAnchors } from "./anchors.js";
import { YamlCursor } from "./cursor.js";
import { readDirective, readDirectives } from "./directives.js";
import type { Frame, ListFrame, MapFrame } from "./frames.js";
import { checkNumbers } from "./json-problems.js";
import { YamlMembers } from "./members.js";
import { type NodeProperties, noProperties, readAnchorName, readTag, scalarValue } from "./node-properties.js";
import { readBlockScalar } from "./read-block-scalar.js";
import { readPlain } from "./read-plain.js";
import { readQuoted } from "./read-quoted.js";
import { invalidKey, keyOf, type YamlKey } from "./yaml-key.js";

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
  readonly #members = new YamlMembers(this.#anchors);
  /** The first error of those that v1.29 finds when it makes values of what it has read. */
  #valueError: DecodeError | undefined;
  #handles: ReadonlyMap<string, string> = new Map();
  #place: Place | undefined;
  /** A block scalar that has been read in part. */
  #scalarSteps: { readonly steps: Steps<string>; readonly own: NodeProperties } | undefined;
  #result: JsonValue = null;
  #hasNonFinite = false;
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
    return this.#members.duplicateKeys;
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
    this.#cursor.skipToToken("line");
    if (this.#cursor.atDirective) {
      readDirective(this.#cursor);
    }
    if (this.#valueError !== undefined) {
      throw this.#valueError;
    }
    this.#members.check(this.#result);
    if (this.#hasNonFinite) {
      checkNumbers(this.#result);
    }
    // What follows is the next document's affair, which nobody reads.
    this.#isDone = true;
  }

  // Lists and maps by indentation.

  #stepInBlockList(frame: ListFrame, indent: number): void {
    const cursor = this.#cursor;
    cursor.skipToToken("line");
    const { column } = cursor;
    if (this.#atBlockEnd(column < indent)) {
      this.#close(frame);
    } else if (column === indent && this.#atIndicator("-")) {
      cursor.at++;
      this.#place = { indent, mayStartBlock: true, mayBeLevel: false };
    } else if (column === indent && frame.isLevel) {
      this.#close(frame);
    } else {
      throw this.#misplaced("did not find expected '-' indicator", false);
    }
  }

  #stepInBlockMap(frame: MapFrame, indent: number): void {
    const cursor = this.#cursor;
    if (frame.hasFlowKey) {
      this.#expectValue(frame, indent);
      return;
    }
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
    } else if (this.#atBlockEnd(column < indent)) {
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

  /** Reports whether a list or map by indentation ends here: with the document, or since the next line is `isOut`. */
  #atBlockEnd(isOut: boolean): boolean {
    const cursor = this.#cursor;
    return isOut || cursor.atEnd || cursor.atDocumentMark || cursor.atDirective;
  }

  #unexpectedInMap(): DecodeError {
    return this.#atIndicator(":")
      ? this.#cursor.scanError("mapping values are not allowed in this context")
      : this.#misplaced("did not find expected key", false);
  }

  #blockKey(frame: MapFrame, indent: number): void {
    const cursor = this.#cursor;
    const { at } = cursor;
    const properties = this.#properties();
    const next = cursor.peek();
    if (next === "[" || next === "{") {
      frame.expectsKey = true;
      frame.hasFlowKey = true;
      this.#collection(next, properties);
      return;
    }
    const isEmpty = properties !== noProperties && this.#atIndicator(":");
    if (!isEmpty && next !== "*" && (next === "" || this.#cannotStart(next, false))) {
      throw this.#misplaced("did not find expected key", false);
    }
    const { value, isOneLine, isMerge } = this.#scalar(properties, indent + 1);
    if (!isOneLine) {
      throw cursor.missingColon();
    }
    this.#setKey(frame, value, at, isMerge);
    this.#expectValue(frame, indent);
  }

  /** Steps over the colon that must follow a key on its line. */
  #expectValue(frame: MapFrame, indent: number): void {
    frame.hasFlowKey = false;
    if (!this.#takeColon(false)) {
      throw this.#cursor.missingColon();
    }
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
        throw this.#misplaced(`did not find expected ',' or '${closing}'`, true);
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
    cursor.skipToToken("flow");
    const scalar = this.#emptyInFlow(properties) ?? this.#scalarInFlow(properties);
    if (scalar === undefined) {
      if (map !== undefined) {
        map.expectsKey = true;
      }
      this.#collection(undefined, properties);
    } else if (map !== undefined) {
      this.#setKey(map, scalar.value, at, scalar.isMerge);
      if (scalar.isOneLine && this.#takeColon(true)) {
        this.#place = inFlow;
      } else {
        this.#deliver(null);
      }
    } else if (scalar.isOneLine && this.#takeColon(true)) {
      this.#setKey(this.#openMap(undefined, noProperties, true), scalar.value, at, scalar.isMerge);
      this.#place = inFlow;
    } else {
      this.#deliver(scalar.value);
    }
  }

  /** Returns the empty scalar that has properties and nothing else. */
  #emptyInFlow(properties: NodeProperties): OneLineScalar | undefined {
    if (properties === noProperties || !",]}:".includes(this.#cursor.peek() || " ")) {
      return undefined;
    }
    const value = this.#named(this.#valueOf("", properties.tag === undefined, properties), properties);
    return { value, isOneLine: true, isMerge: false };
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
    this.#noteValueLine(start);
    const startColumn = cursor.column;
    let properties = this.#properties();
    let mayBeKey = place.mayStartBlock || isOwnLine;
    let keyColumn = startColumn;
    let outer = noProperties;
    if (properties !== noProperties) {
      const { crossedLine } = cursor.skipToToken(indent === undefined ? "flow" : "line");
      if (this.#isNothing(place, crossedLine || isOwnLine) || (cursor.atEnd && properties !== noProperties)) {
        this.#deliver(this.#named(this.#valueOf("", properties.tag === undefined, properties), properties));
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
    } else if ((properties !== noProperties || outer !== noProperties) && "]},!&*".includes(cursor.peek() || " ")) {
      const own = properties === noProperties ? outer : properties;
      this.#deliver(this.#named(this.#valueOf("", own.tag === undefined, own), own));
    } else {
      this.#blockNode(place, { start, keyColumn, mayBeKey, isOwnLine, properties, outer });
    }
  }

  /** Notes where the value of a key begins, if messages may tell it. */
  #noteValueLine(at: number): void {
    const frame = this.#stack.at(-1);
    if (frame?.type === "map" && frame.key !== undefined && this.#members.needsLine(frame, frame.key)) {
      frame.valueLine = this.#cursor.lineOf(at);
    }
  }

  #isNothing(place: Place, crossedLine: boolean): boolean {
    const cursor = this.#cursor;
    const { indent } = place;
    if (indent === undefined) {
      return ",]}".includes(cursor.peek()) && !cursor.atEnd;
    }
    if (this.#atBlockEnd(false)) {
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
      this.#collection(next, own, node.mayBeKey ? node.keyColumn : undefined);
    } else if (next === "|" || next === ">") {
      this.#anchors.add();
      const steps = readBlockScalar(cursor, indent);
      this.#scalarSteps = { steps, own };
      this.#stepInBlockScalar(steps, own);
    } else if (own === noProperties && this.#atIndicator(":")) {
      throw mayOpen
        ? cursor.parseError("did not find expected key")
        : cursor.scanError("mapping values are not allowed in this context");
    } else {
      this.#scalarOrMap(indent, node);
    }
  }

  #stepInBlockScalar(steps: Steps<string>, own: NodeProperties): void {
    const step = steps.next();
    if (step.done === true) {
      this.#scalarSteps = undefined;
      this.#deliver(this.#named(this.#valueOf(step.value, false, own), own));
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

  /** Reads a scalar; `indent` is the least that further lines of a plain scalar need, undefined in brackets. */
  #scalar(properties: NodeProperties, indent: number | undefined): OneLineScalar {
    const cursor = this.#cursor;
    this.#anchors.add();
    const next = cursor.peek();
    if (next === "*") {
      return { value: this.#aliased(readAnchorName(cursor)), isOneLine: true, isMerge: false };
    }
    if (next === '"' || next === "'") {
      const start = cursor.at;
      const text = readQuoted(cursor);
      const isOneLine = !/[\n\u2028\u2029]/.test(cursor.text.slice(start, cursor.at));
      return {
        value: this.#named(this.#valueOf(text, false, properties), properties),
        isOneLine,
        isMerge: text === "<<" && properties.tag === "merge",
      };
    }
    if (properties !== noProperties && this.#atIndicator(":")) {
      const value = this.#named(this.#valueOf("", properties.tag === undefined, properties), properties);
      return { value, isOneLine: true, isMerge: false };
    }
    if (next === "" || this.#cannotStart(next, indent === undefined)) {
      throw this.#misplaced("did not find expected node content", indent === undefined);
    }
    const { text, isOneLine } = readPlain(cursor, indent);
    const value = this.#named(this.#valueOf(text, true, properties), properties);
    return { value, isOneLine, isMerge: text === "<<" && (properties.tag ?? "merge") === "merge" };
  }

  /**
   * Returns the error for a token that stands where the grammar has no place for it. Throws that of a token which cannot be read,
   * since v1.29 reads a token before it looks at its place.
   */
  #misplaced(problem: string, isInFlow: boolean): DecodeError {
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

  #cannotStart(next: string, isInFlow: boolean): boolean {
    if (next === "-" || next === "?" || next === ":") {
      return this.#cursor.isSpace(1) || (isInFlow && next !== "-");
    }
    return "\t,[]{}#&*!|>%@`".includes(next);
  }

  /** Returns the value of a scalar; null where the text is not what its tag says. */
  #valueOf(text: string, isPlain: boolean, { tag }: NodeProperties): JsonValue {
    try {
      return scalarValue(text, isPlain, tag);
    } catch (error) {
      return this.#defer(error);
    }
  }

  /** Notes an error that v1.29 tells after others, and returns null for the value that there is not. */
  #defer(error: unknown): null {
    if (!(error instanceof DecodeError)) {
      throw error;
    }
    this.#valueError ??= error;
    return null;
  }

  #aliased(name: string): JsonValue {
    const frame = this.#stack.at(-1);
    if (frame?.type === "map") {
      frame.isAlias = true;
    }
    const value = this.#anchors.resolve(name);
    return value === undefined ? this.#defer(new DecodeError(`yaml: anchor '${name}' value contains itself`)) : value;
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

  /** Opens a list or map in brackets. `keyColumn` is that of a map by indentation of which it may be the first key. */
  #collection(bracket: string | undefined, properties: NodeProperties, keyColumn?: number): void {
    const cursor = this.#cursor;
    const isList = (bracket ?? cursor.peek()) === "[";
    cursor.at++;
    if (isList) {
      this.#openList(undefined, properties, false, keyColumn);
    } else {
      this.#openMap(undefined, properties, false).keyColumn = keyColumn;
    }
  }

  #openList(
    indent: number | undefined,
    { anchor }: NodeProperties,
    isLevel: boolean,
    keyColumn: number | undefined = undefined,
  ): void {
    const countBefore = this.#open(anchor);
    this.#stack.push({ type: "list", items: [], indent, isLevel, anchor, countBefore, keyColumn, needsComma: false });
  }

  #openMap(
    indent: number | undefined,
    { anchor }: NodeProperties,
    isPair: boolean,
    countBefore = this.#anchors.count + 1,
  ): MapFrame {
    const around = this.#stack.at(-1);
    const mayBeMerged = anchor !== undefined || this.#isMerged(around);
    this.#open(anchor);
    const frame: MapFrame = {
      type: "map",
      members: {},
      indent,
      isPair,
      anchor,
      countBefore,
      keyColumn: undefined,
      key: undefined,
      hasFlowKey: false,
      valueLine: 0,
      lines: mayBeMerged ? new Map() : undefined,
      expectsKey: false,
      isMerge: false,
      isAlias: false,
      needsComma: false,
    };
    this.#stack.push(frame);
    return frame;
  }

  /** Reports whether what is read next is merged into a map, or is one of a list of which each is. */
  #isMerged(frame: Frame | undefined): boolean {
    const holder = frame?.type === "list" ? this.#stack.at(-2) : frame;
    return holder?.type === "map" && holder.isMerge;
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
      this.#anchors.noteLines(frame.members, frame.lines);
    }
    const value = frame.type === "map" ? frame.members : frame.items;
    if (frame.anchor !== undefined) {
      this.#anchors.define(frame.anchor, value, this.#anchors.count - frame.countBefore + 1);
    }
    if (frame.keyColumn !== undefined && this.#takeColon(false)) {
      this.#setKey(this.#openMap(frame.keyColumn, noProperties, false), value, this.#cursor.at, false);
      this.#place = { indent: frame.keyColumn, mayStartBlock: false, mayBeLevel: true };
    } else {
      this.#deliver(value);
    }
  }

  /** Puts a value where it belongs. */
  #deliver(value: JsonValue): void {
    const frame = this.#stack.at(-1);
    this.#hasNonFinite ||= typeof value === "number" && !Number.isFinite(value);
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
    if (!frame.isMerge) {
      this.#members.set(frame, frame.key as YamlKey, value, frame.valueLine);
    } else {
      try {
        this.#members.merge(frame, value);
      } catch (error) {
        this.#defer(error);
      }
    }
    frame.key = undefined;
    frame.isMerge = false;
    frame.isAlias = false;
    frame.needsComma = true;
  }

  #setKey(frame: MapFrame, value: JsonValue, at: number, isMerge: boolean): void {
    frame.key = keyOf(value) ?? this.#refusedKey(value);
    // A member is one value, as in JSON: its key has been counted as a scalar.
    this.#anchors.spend(-1);
    frame.isMerge = isMerge;
    frame.isAlias = false;
    frame.valueLine = this.#members.needsLine(frame, frame.key) ? this.#cursor.lineOf(at) : 0;
  }

  #refusedKey(value: JsonValue): YamlKey {
    // The text of the error may be long, and only the first counts.
    this.#valueError ??= invalidKey(value);
    return { text: "", value: "" };
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
