import type { YamlCursor } from "./cursor.js";

/**
 * Steps over what may stand before a document: comments, `%YAML`, `%TAG` and `---`. Returns the tag handles that it
 * declares, with what they stand for.
 */
export function readDirectives(cursor: YamlCursor): ReadonlyMap<string, string> {
  const handles = new Map<string, string>();
  let hasDirectives = false;
  for (;;) {
    cursor.skipToToken("line");
    if (cursor.column === 0 && cursor.peek() === "%") {
      hasDirectives = true;
      readDirective(cursor, handles);
    } else {
      break;
    }
  }
  if (cursor.atDocumentMark) {
    if (cursor.peek() === ".") {
      throw cursor.parseError("did not find expected node content");
    }
    cursor.at += 3;
  } else if (hasDirectives) {
    throw cursor.parseError("did not find expected <document start>");
  }
  return handles;
}

function readDirective(cursor: YamlCursor, handles: Map<string, string>): void {
  const line = cursor.text.slice(cursor.at, cursor.lineEnd);
  const [, handle, prefix] = /^%TAG[ \t]+(![0-9A-Za-z_-]*!?)[ \t]+(\S+)[ \t]*(?:#.*)?$/.exec(line) ?? [];
  if (handle !== undefined && prefix !== undefined) {
    if (handles.has(handle)) {
      throw cursor.parseError("found duplicate %TAG directive");
    }
    handles.set(handle, prefix);
  } else if (/^%(?:TAG|YAML)(?:\s|$)/.test(line) && !/^%YAML[ \t]+1\.\d+[ \t]*(?:#.*)?$/.test(line)) {
    throw cursor.scanError("found a directive that cannot be understood");
  }
  cursor.at = cursor.lineEnd;
}
