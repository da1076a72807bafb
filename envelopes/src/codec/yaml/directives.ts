import type { YamlCursor } from "./cursor.js";
import { tagCharacters } from "./node-properties.js";

/**
 * Steps over what may stand before a document: comments, `%YAML`, `%TAG` and `---`. Returns the tag handles that it
 * declares, with what they stand for.
 */
export function readDirectives(cursor: YamlCursor): ReadonlyMap<string, string> {
  const handles = new Map<string, string>();
  let hasDirectives = false;
  let hasVersion = false;
  for (;;) {
    cursor.skipToToken("line");
    if (!cursor.atDirective) {
      break;
    }
    const { at } = cursor;
    const directive = readDirective(cursor);
    hasDirectives = true;
    if (directive.name === "TAG") {
      if (handles.has(directive.handle)) {
        throw cursor.parseError("found duplicate %TAG directive", at);
      }
      handles.set(directive.handle, directive.prefix);
    } else {
      if (hasVersion) {
        throw cursor.parseError("found duplicate %YAML directive", at);
      }
      if (directive.version !== "1.1") {
        throw cursor.parseError("found incompatible YAML document", at);
      }
      hasVersion = true;
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

/** A directive: the version of YAML, or what a tag handle stands for. */
type Directive =
  | { readonly name: "YAML"; readonly version: string }
  | { readonly name: "TAG"; readonly handle: string; readonly prefix: string };

/** Reads a directive, whose `%` is the next character, to the end of its line. Throws DecodeError. */
export function readDirective(cursor: YamlCursor): Directive {
  cursor.at++;
  const name = cursor.take(/[\w-]*/y);
  if (name === "") {
    throw cursor.scanError("could not find expected directive name");
  }
  if (!cursor.isSpace()) {
    throw cursor.scanError("found unexpected non-alphabetical character");
  }
  if (name !== "YAML" && name !== "TAG") {
    throw cursor.scanError("found unknown directive name");
  }
  cursor.skipBlanks();
  const directive = name === "YAML" ? readVersion(cursor) : readTagHandle(cursor);
  cursor.skipToLineEnd();
  return directive;
}

function readVersion(cursor: YamlCursor): Directive {
  const major = readNumber(cursor);
  if (cursor.peek() !== ".") {
    throw cursor.scanError("did not find expected digit or '.' character");
  }
  cursor.at++;
  return { name: "YAML", version: `${major}.${readNumber(cursor)}` };
}

function readNumber(cursor: YamlCursor): number {
  const digits = cursor.take(/\d*/y);
  if (digits === "" || digits.length > 9) {
    throw cursor.scanError(
      digits === "" ? "did not find expected version number" : "found extremely long version number",
    );
  }
  return Number(digits);
}

function readTagHandle(cursor: YamlCursor): Directive {
  const handle = cursor.take(/(?:![\w-]*!?)?/y);
  if (handle === "" || (handle !== "!" && !/.!$/.test(handle))) {
    throw cursor.scanError("did not find expected '!'");
  }
  if (!cursor.isBlank()) {
    throw cursor.scanError("did not find expected whitespace");
  }
  cursor.skipBlanks();
  const prefix = cursor.take(tagCharacters);
  if (prefix === "") {
    throw cursor.scanError("did not find expected tag URI");
  }
  if (!cursor.isSpace()) {
    throw cursor.scanError("did not find expected whitespace or line break");
  }
  return { name: "TAG", handle, prefix };
}
