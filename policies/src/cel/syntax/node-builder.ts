import type { CelValue } from "../values/value.js";
import type {
  Call,
  Expression,
  Identifier,
  ListLiteral,
  Literal,
  MacroCall,
  MapEntry,
  MapLiteral,
  ParsedExpression,
  Select,
  SourceRange,
  StructField,
  StructLiteral,
} from "./expression.js";

/** Makes the nodes of one expression and numbers them. Remembers their texts. */
export class NodeBuilder {
  /** The number of nodes so far. */
  count = 0;
  readonly macroCalls: Map<number, MacroCall> = new Map();
  readonly #starts: number[] = [-1];
  readonly #ends: number[] = [-1];

  /** Returns the id of a new node whose text is not known yet. */
  nextId(): number {
    this.#starts.push(-1);
    this.#ends.push(-1);
    return ++this.count;
  }

  /** Remembers the text of a node. */
  setRange(id: number, start: number, end: number): void {
    this.#starts[id] = start;
    this.#ends[id] = end;
  }

  literal(offset: number, value: CelValue): Literal {
    return { kind: "literal", id: this.nextId(), offset, value };
  }

  identifier(offset: number, name: string): Identifier {
    return { kind: "identifier", id: this.nextId(), offset, name };
  }

  select(offset: number, operand: Expression, field: string, isTest: boolean): Select {
    return { kind: "select", id: this.nextId(), offset, operand, field, isTest };
  }

  call(offset: number, name: string, args: readonly Expression[], target?: Expression): Call {
    return { kind: "call", id: this.nextId(), offset, name, target, args };
  }

  list(offset: number, elements: readonly Expression[], optionalIndexes: readonly number[] = []): ListLiteral {
    return { kind: "list", id: this.nextId(), offset, elements, optionalIndexes };
  }

  map(offset: number, entries: readonly MapEntry[]): MapLiteral {
    return { kind: "map", id: this.nextId(), offset, entries };
  }

  struct(offset: number, typeName: string, fields: readonly StructField[]): StructLiteral {
    return { kind: "struct", id: this.nextId(), offset, typeName, fields };
  }

  /** Returns the finished expression. */
  finish(source: string, root: Expression): ParsedExpression {
    return new FinishedExpression(source, root, this.count, this.macroCalls, this.#starts, this.#ends);
  }
}

/** A parsed source whose map of ranges is made when it is asked for, which few do. */
class FinishedExpression implements ParsedExpression {
  readonly source: string;
  readonly root: Expression;
  readonly maxId: number;
  readonly macroCalls: ReadonlyMap<number, MacroCall>;
  readonly #starts: readonly number[];
  readonly #ends: readonly number[];
  #ranges: ReadonlyMap<number, SourceRange> | undefined;

  constructor(
    source: string,
    root: Expression,
    maxId: number,
    macroCalls: ReadonlyMap<number, MacroCall>,
    starts: readonly number[],
    ends: readonly number[],
  ) {
    this.source = source;
    this.root = root;
    this.maxId = maxId;
    this.macroCalls = macroCalls;
    this.#starts = starts;
    this.#ends = ends;
  }

  get ranges(): ReadonlyMap<number, SourceRange> {
    this.#ranges ??= this.#makeRanges();
    return this.#ranges;
  }

  #makeRanges(): ReadonlyMap<number, SourceRange> {
    const ranges = new Map<number, SourceRange>();
    for (let id = 1; id <= this.maxId; id++) {
      const start = this.#starts[id];
      const end = this.#ends[id];
      if (start !== undefined && end !== undefined && start >= 0) ranges.set(id, { start, end });
    }
    return ranges;
  }
}
