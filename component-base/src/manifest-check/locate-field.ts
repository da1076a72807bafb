import { isMap, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import type { SourceDocument } from "../manifests/index.js";

/** Returns the line at which a document begins, or an item of a list. */
export function lineOf(source: SourceDocument): number {
  return source.item === undefined ? source.line : lineOfField(source, "");
}

/** Returns the line of a field in the file of its document; that of the nearest field around it when it is not there. */
export function lineOfField({ line, text, item }: SourceDocument, path: string): number {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { uniqueKeys: false, logLevel: "silent", lineCounter });
  const ofItem = item === undefined ? [] : ["items", `${item}`];
  let offset = startOf(document.contents);
  let node: unknown = document.contents;
  for (const segment of [...ofItem, ...segmentsOf(path)]) {
    const found = memberOf(node, segment);
    if (found === undefined) {
      break;
    }
    offset = startOf(found.place);
    node = found.value;
  }
  return line + lineCounter.linePos(offset).line - 1;
}

/** Returns the segments of a path as servers write it: `spec.ports[0].name`, `metadata.annotations[example.com/a]`. */
function segmentsOf(path: string): readonly string[] {
  return [...path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([segment, bracketed]) => bracketed ?? segment);
}

/** Returns a member of a map or list, and the node at which it begins: its key, or the item. */
function memberOf(node: unknown, segment: string): { place: unknown; value: unknown } | undefined {
  if (isMap(node)) {
    // Of a key that is given twice, the last one counts.
    const pair = node.items.findLast(({ key }) => isScalar(key) && String(key.value) === segment);
    return pair && { place: pair.key, value: pair.value };
  }
  const item: unknown = isSeq(node) ? node.items[Number(segment)] : undefined;
  return item === undefined ? undefined : { place: item, value: item };
}

function startOf(node: unknown): number {
  return (node as { range?: readonly number[] | null } | null)?.range?.[0] ?? 0;
}
