import { heldQuantity } from "../../codec/scalars/held-quantity.js";
import type { JsonArray, JsonObject, JsonValue } from "../../json/json.js";
import { listAt, objectAt, textAt } from "../../json/json-fields.js";
import { type GoType, isZero, textOfGoType } from "../internal-types.js";
import { goTime } from "../literals.js";
import { goQuote } from "../quote.js";
import { braces, ellipsis, line, type TextNode, type TextRecord, wrap } from "./text-layout.js";

/** The style in which a value is written. */
export interface Style {
  /** The mark of the value; undefined where two values are compared. */
  readonly change: "-" | "+" | "same" | undefined;
  /** The values whose type is named: all, none, or those with other values inside. */
  readonly types: "always" | "never" | "composite";
  /** The limit on depth and length (go-cmp's verbosity level); undefined for none. */
  readonly verbosity: number | undefined;
  /** Set to false to write the members behind a pointer even if its type has a text of its own in Go. */
  readonly ownTexts?: boolean;
}

/** Returns the verbosity between 0 and 16. */
export function level(style: Style): number {
  return Math.min(16, Math.max(0, style.verbosity ?? 0));
}

/** Returns the style for values one level deeper. */
export function deeper(style: Style): Style {
  return style.verbosity === undefined ? style : { ...style, verbosity: style.verbosity - 1 };
}

function maxItems(style: Style): number {
  return style.verbosity === undefined ? Number.POSITIVE_INFINITY : ((1 << level(style)) >> 1) << 2;
}

/** Returns a value as Go writes it in code, without zero members. */
export function valueText(type: GoType, value: JsonValue | undefined, style: Style): TextNode {
  switch (type.kind) {
    case "pointer":
      if (value === undefined || value === null) {
        return line("nil");
      }
      return (
        (style.ownTexts === false ? undefined : ownText(type.to, value, style)) ??
        wrap("&", valueText(type.to, value, style), "")
      );
    case "struct":
      return withType(type, structText(type, (value ?? {}) as JsonObject, style), style);
    case "slice":
    case "map":
      return withType(
        type,
        value === undefined || value === null ? line("nil") : contentText(type, value, style),
        style,
      );
    case "quantity":
      return withType(type, quantityText(value, type.isListed, style), style);
    case "time":
      return withType(type, timeText(value, style), style);
    case "int":
      return withType(type, line(String(value ?? 0)), style);
    case "bool":
      return withType(type, line(String(value ?? false)), style);
    default:
      return withType(type, stringText(String(value ?? ""), style), style);
  }
}

const compositeKinds = ["struct", "slice", "map", "quantity", "time"];

/** Puts the name of the type in front of a value, if the style demands it. */
export function withType(type: GoType, node: TextNode, style: Style): TextNode {
  if (style.types === "never") {
    return node;
  }
  if (style.types === "composite") {
    const isNothing = node.kind === "line" && node.text === "nil";
    if (!compositeKinds.includes(type.kind) || isNothing || style.change === "same") {
      return node;
    }
  }
  const name = textOfGoType(type);
  const typeName = type.kind === "pointer" ? `(${name})` : name;
  const isEnclosed =
    node.kind === "wrap" &&
    ((node.prefix.startsWith("(") && node.suffix.endsWith(")")) ||
      (node.prefix.startsWith("{") && node.suffix.endsWith("}")));
  return wrap(typeName, isEnclosed ? node : wrap("(", node, ")"), "");
}

function limited(records: Iterable<() => TextRecord>, most: number): TextNode {
  const shown: TextRecord[] = [];
  for (const record of records) {
    if (shown.length === most) {
      shown.push({ value: ellipsis, noComma: true });
      break;
    }
    shown.push(record());
  }
  return braces(shown);
}

function structText(type: GoType & { kind: "struct" }, value: JsonObject, style: Style): TextNode {
  const inside: Style = { ...deeper(style), types: "composite" };
  const fields = type
    .fields()
    .filter((field) => !isZero(field.type, field.read(value)))
    .map((field) => (): TextRecord => ({ key: field.name, value: valueText(field.type, field.read(value), inside) }));
  return limited(fields, maxItems(style));
}

function contentText(type: GoType & { kind: "slice" | "map" }, value: JsonValue, style: Style): TextNode {
  const inside: Style = { ...deeper(style), types: "never" };
  if (type.kind === "slice") {
    const items = (value as JsonArray).map((item) => (): TextRecord => ({ value: valueText(type.of, item, inside) }));
    return limited(items, maxItems(style));
  }
  const map = value as JsonObject;
  const entries = Object.keys(map)
    .sort()
    .map((key) => (): TextRecord => ({ key: keyText(type, key), value: valueText(type.of, map[key], inside) }));
  return limited(entries, maxItems(style));
}

/** Returns the key of an entry. Names of resources have a text of their own in Go, which an `s` in front marks. */
export function keyText(type: GoType & { kind: "map" }, key: string): string {
  return `${type.name === "core.ResourceList" ? "s" : ""}${quoted(key)}`;
}

function quantityText(value: JsonValue | undefined, isListed: boolean, style: Style): TextNode {
  if (value === undefined || value === null) {
    return braces([]);
  }
  const inside: Style = { ...deeper(style), types: "composite" };
  const held = heldQuantity(String(value), isListed);
  const amount: (() => TextRecord)[] = [];
  if (held.value !== 0n) {
    amount.push(() => ({ key: "value", value: line(String(held.value)) }));
  }
  if (held.scale !== 0) {
    amount.push(() => ({ key: "scale", value: line(String(held.scale)) }));
  }
  const fields: (() => TextRecord)[] = [];
  if (amount.length > 0) {
    const type: GoType = { kind: "struct", name: "resource.int64Amount", fields: () => [] };
    fields.push(() => ({ key: "i", value: withType(type, limited(amount, maxItems(inside)), inside) }));
  }
  const { decimal, text, format } = held;
  if (decimal !== undefined) {
    fields.push(() => ({ key: "d", value: stringText(decimal, inside, "s") }));
  }
  if (text !== "") {
    fields.push(() => ({ key: "s", value: stringText(text, inside) }));
  }
  fields.push(() => ({ key: "Format", value: stringText(format, inside) }));
  return limited(fields, maxItems(style));
}

/** Returns the struct that holds a time; JSON has times in RFC 3339, in UTC. */
function timeText(value: JsonValue | undefined, style: Style): TextNode {
  return braces(
    value === undefined || value === null ? [] : [{ key: "Time", value: stringText(goTime(value), style, "s") }],
  );
}

/** Returns the text of a value whose pointer type has a text of its own in Go; undefined for all other types. */
function ownText(type: GoType, value: JsonValue, style: Style): TextNode | undefined {
  switch (textOfGoType(type)) {
    case "v1.LabelSelector":
      return stringText(selectorText(value), style, "s");
    case "core.PersistentVolumeClaimTemplate":
      return stringText(metadataText(objectAt(value, "metadata")), style, "s");
    case "v1.Time":
      return stringText(goTime(value), style, "s");
    case "resource.Quantity":
    case "intstr.IntOrString":
      return stringText(String(value), style, "s");
    default:
      return undefined;
  }
}

function selectorText(selector: JsonValue): string {
  const expressions = listAt(selector, "matchExpressions").map((expression) => {
    const values = listAt(expression, "values").join(" ");
    return `LabelSelectorRequirement{Key:${textAt(expression, "key")},Operator:${textAt(expression, "operator")},Values:[${values}],},`;
  });
  return `&LabelSelector{MatchLabels:${mapText(objectAt(selector, "matchLabels"))},MatchExpressions:[]LabelSelectorRequirement{${expressions.join("")}},}`;
}

/**
 * Returns the text of a struct that embeds metadata: that of the metadata. In templates only two members may be set.
 */
function metadataText(metadata: JsonObject): string {
  return `&ObjectMeta{Name:,GenerateName:,Namespace:,SelfLink:,UID:,ResourceVersion:,Generation:0,CreationTimestamp:0001-01-01 00:00:00 +0000 UTC,DeletionTimestamp:<nil>,DeletionGracePeriodSeconds:nil,Labels:${mapText(objectAt(metadata, "labels"))},Annotations:${mapText(objectAt(metadata, "annotations"))},OwnerReferences:[]OwnerReference{},Finalizers:[],ManagedFields:[]ManagedFieldsEntry{},}`;
}

function mapText(map: JsonObject): string {
  const pairs = Object.keys(map)
    .sort()
    .map((key) => `${key}: ${map[key]},`);
  return `map[string]string{${pairs.join("")}}`;
}

/** Returns a string in quotes, shortened; one of four lines or more that differs stands bare on lines of its own. */
function stringText(text: string, style: Style, prefix = ""): TextNode {
  const maxBytes = style.verbosity === undefined ? Number.POSITIVE_INFINITY : (1 << level(style)) << 5;
  const lines = text.replace(/\n$/, "").split("\n");
  const isMarked = style.change === "-" || style.change === "+";
  if (isMarked && lines.length >= 4 && lines.every((each) => canStandBare(each, maxBytes))) {
    return bareLines(lines, style);
  }
  const bytes = Buffer.from(text);
  return bytes.length > maxBytes + 3
    ? line(`${prefix}${quoted(bytes.subarray(0, maxBytes).toString())}...`)
    : line(`${prefix}${quoted(text)}`);
}

function canStandBare(text: string, maxBytes: number): boolean {
  return (
    !text.startsWith('"""') &&
    !text.startsWith("...") &&
    Buffer.byteLength(text) <= maxBytes &&
    goQuote(text.replace(/[\t"\\]/g, "")) === `"${text.replace(/[\t"\\]/g, "")}"`
  );
}

function bareLines(lines: readonly string[], style: Style): TextNode {
  const change = style.change === "-" ? "-" : "+";
  const most = style.verbosity === undefined ? Number.POSITIVE_INFINITY : (1 << level(style)) << 2;
  const record = (value: string): TextRecord => ({ change, value: line(value), noComma: true });
  const shown = lines.length > most ? lines.slice(0, most - 1) : lines;
  const rest = lines.length - shown.length;
  const more: TextRecord[] =
    rest > 0 ? [{ change, value: ellipsis, noComma: true, comment: `${rest} elided lines` }] : [];
  const records = [record('"""'), ...shown.map(record), ...more, record('"""')];
  return wrap("(", { kind: "list", records }, ")");
}

/** Returns a text in quotes, or in backquotes if that saves escapes. */
export function quoted(text: string): string {
  const escaped = goQuote(text);
  if (Buffer.byteLength(escaped) === Buffer.byteLength(text) + 2) {
    return escaped;
  }
  const plain = text.replace(/[\t"\\]/g, "");
  return text.includes("`") || goQuote(plain) !== `"${plain}"` ? escaped : `\`${text}\``;
}
