import type { Steps } from "../../scheduling/steps.js";
import type { YamlComposer } from "./composer.js";
import type { YamlCursor } from "./cursor.js";
import type { YamlFlowReader } from "./flow-reader.js";
import { type NodeProperties, noProperties } from "./node-properties.js";
import { type BlockPlace, behindKey, type Place } from "./place.js";
import { readBlockScalar } from "./read-block-scalar.js";
import type { YamlScalarReader } from "./scalar-reader.js";

/** Reads nodes outside brackets: nothing, a scalar, or the beginning of a list or map. */
export class YamlBlockNodeReader {
  readonly #cursor: YamlCursor;
  readonly #composer: YamlComposer;
  readonly #scalars: YamlScalarReader;
  readonly #flow: YamlFlowReader;
  /** A block scalar that has been read in part. */
  #blockScalar: { readonly steps: Steps<string>; readonly properties: NodeProperties } | undefined;

  constructor(cursor: YamlCursor, composer: YamlComposer, scalars: YamlScalarReader, flow: YamlFlowReader) {
    this.#cursor = cursor;
    this.#composer = composer;
    this.#scalars = scalars;
    this.#flow = flow;
  }

  /** Reads the node at a place. Returns the place of the next one if it is the value of a key that has been read, too. */
  read(place: BlockPlace): Place | undefined {
    const cursor = this.#cursor;
    const { crossedLine } = cursor.skipToToken(place.mayStartBlock ? "block" : "line");
    if (this.#isNothing(place, crossedLine)) {
      return this.#composer.deliver(null);
    }
    const { at: start, column: keyColumn } = cursor;
    this.#composer.noteValueLine(start);
    const properties = this.#scalars.properties();
    const mayBeKey = place.mayStartBlock || crossedLine;
    const node = { start, ownStart: start, keyColumn, mayBeKey, properties, outer: noProperties };
    return properties === noProperties
      ? this.#content(place.indent, node)
      : this.#behindProperties(place, node, crossedLine);
  }

  /** Reports whether the node is empty, since what comes next belongs to something around it. */
  #isNothing({ indent, mayBeLevel }: BlockPlace, crossedLine: boolean): boolean {
    const cursor = this.#cursor;
    if (cursor.atDocumentEnd) {
      return true;
    }
    if (!crossedLine || cursor.column > indent) {
      return false;
    }
    return !(mayBeLevel && cursor.column === indent && cursor.atIndicator("-"));
  }

  /** Reads on behind properties. Those on lines of their own belong to what follows, which may be a map whose first key has others. */
  #behindProperties(place: BlockPlace, first: BlockNode, isOwnLine: boolean): Place | undefined {
    const cursor = this.#cursor;
    let node = first;
    let isBelow = isOwnLine;
    for (;;) {
      const { crossedLine } = cursor.skipToToken("line");
      isBelow ||= crossedLine;
      const isNothing = this.#isNothing(place, isBelow);
      if ((isNothing || crossedLine) && isGivenTwice(node)) {
        return this.#endBefore(node);
      }
      if (isNothing) {
        return this.#deliverEmpty(propertiesOf(node));
      }
      if (crossedLine) {
        const outer = propertiesOf(node);
        const { at: ownStart, column: keyColumn } = cursor;
        node = { ...node, ownStart, keyColumn, mayBeKey: true, properties: this.#scalars.properties(), outer };
        if (node.properties !== noProperties) {
          continue;
        }
      }
      return "]},!&*".includes(cursor.peek() || " ")
        ? this.#deliverEmpty(propertiesOf(node))
        : this.#content(place.indent, node);
    }
  }

  #deliverEmpty(properties: NodeProperties): Place | undefined {
    return this.#composer.deliver(this.#composer.emptyScalar(properties));
  }

  /** Delivers what the properties on the lines before belong to, without content: those of the node itself come too late for it. */
  #endBefore(node: BlockNode): Place | undefined {
    this.#cursor.returnTo(node.ownStart, node.keyColumn);
    return this.#deliverEmpty(node.outer);
  }

  /** Reads a node behind its properties. `indent` is the column of what holds it. */
  #content(indent: number, node: BlockNode): Place | undefined {
    const next = this.#cursor.peek();
    if (this.#cursor.atIndicator("-") || this.#cursor.atIndicator("?")) {
      this.#openCollection(indent, node);
      return undefined;
    }
    const isCollection = this.#flow.atCollection;
    const isBlockScalar = next === "|" || next === ">";
    if ((isCollection || isBlockScalar) && isGivenTwice(node)) {
      return this.#endBefore(node);
    }
    if (isCollection) {
      this.#flow.open(propertiesOf(node), node.mayBeKey ? node.keyColumn : undefined);
      return undefined;
    }
    if (isBlockScalar) {
      this.#composer.anchors.add();
      this.#blockScalar = { steps: readBlockScalar(this.#cursor, indent), properties: propertiesOf(node) };
      this.stepInBlockScalar();
      return undefined;
    }
    if (propertiesOf(node) === noProperties && this.#cursor.atIndicator(":")) {
      throw node.mayBeKey
        ? this.#cursor.parseError("did not find expected key")
        : this.#cursor.scanError("mapping values are not allowed in this context");
    }
    return this.#scalarOrMap(indent, node);
  }

  /** Opens the list or map whose first indicator is the next character. */
  #openCollection(indent: number, node: BlockNode): void {
    const cursor = this.#cursor;
    const isList = cursor.peek() === "-";
    // Properties on the line of the indicator have no place before it.
    if (!node.mayBeKey || node.properties !== noProperties) {
      const indicator = isList ? "block sequence entries" : "mapping keys";
      throw cursor.scanError(`${indicator} are not allowed in this context`);
    }
    const { column } = cursor;
    if (isList) {
      this.#composer.openBlockList(column, node.outer, column === indent);
    } else {
      this.#composer.openBlockMap(column, node.outer);
    }
  }

  /** True while a block scalar has been read in part. */
  get isInBlockScalar(): boolean {
    return this.#blockScalar !== undefined;
  }

  /** Reads a little further in the block scalar that has been read in part. */
  stepInBlockScalar(): void {
    const scalar = this.#blockScalar;
    const step = scalar?.steps.next();
    if (scalar !== undefined && step?.done === true) {
      this.#blockScalar = undefined;
      this.#composer.deliver(this.#composer.scalar(step.value, false, scalar.properties));
    }
  }

  /** Reads a scalar, or the first key of a map and its colon. */
  #scalarOrMap(indent: number, node: BlockNode): Place | undefined {
    const cursor = this.#cursor;
    const { keyColumn, properties, outer } = node;
    const countBefore = this.#composer.anchors.count;
    const token = this.#scalars.token(properties, indent + 1);
    // A colon below the scalar, and no further in, belongs to an explicit key.
    const isBelow = !token.isOneLine && cursor.column <= indent;
    if (isBelow || !cursor.takeColon(false)) {
      if (isGivenTwice(node)) {
        return this.#endBefore(node);
      }
      return this.#composer.deliver(this.#scalars.valued(token, propertiesOf(node)).value);
    }
    if (!node.mayBeKey || !token.isOneLine) {
      throw cursor.scanError("mapping values are not allowed in this context", cursor.at - 1);
    }
    const { value, isMerge } = this.#scalars.valued(token, properties);
    const map = this.#composer.openBlockMap(keyColumn, outer, countBefore);
    this.#composer.setKey(map, value, node.start, isMerge);
    return behindKey(keyColumn);
  }
}

/** The beginning of a node. */
interface BlockNode {
  /** The index of the first property, or of the node itself. */
  readonly start: number;
  /** The index of the first property on its own line. */
  readonly ownStart: number;
  /** Column of the map whose first key the node may be. */
  readonly keyColumn: number;
  /** True if the node may be the first key of a map. */
  readonly mayBeKey: boolean;
  /** Properties on its own line. */
  readonly properties: NodeProperties;
  /** Properties on lines before, which belong to the map if it is one. */
  readonly outer: NodeProperties;
}

/** Returns the properties of a node that is not the first key of a map: those on lines before belong to it as well. */
function propertiesOf({ properties, outer }: BlockNode): NodeProperties {
  if (properties === noProperties || outer === noProperties) {
    return properties === noProperties ? outer : properties;
  }
  return { anchor: properties.anchor ?? outer.anchor, tag: properties.tag ?? outer.tag };
}

/** Reports whether a node has an anchor, or a tag, on its own line and on one before. Only the first key of a map may: the others are the map's. */
function isGivenTwice({ properties, outer }: BlockNode): boolean {
  const { anchor, tag } = properties;
  return (anchor !== undefined && outer.anchor !== undefined) || (tag !== undefined && outer.tag !== undefined);
}
