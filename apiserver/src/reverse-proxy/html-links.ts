import { Transform, type TransformCallback } from "node:stream";

/** Changes one link of a page: gets it and returns what takes its place. */
export type ChangeLink = (link: string) => string;

/** Attributes that hold a link, by element (v1.29's list, which follows the HTML specification). */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    a: ["href"],
    applet: ["codebase"],
    area: ["href"],
    audio: ["src"],
    base: ["href"],
    blockquote: ["cite"],
    body: ["background"],
    button: ["formaction"],
    command: ["icon"],
    del: ["cite"],
    embed: ["src"],
    form: ["action"],
    frame: ["longdesc", "src"],
    head: ["profile"],
    html: ["manifest"],
    iframe: ["longdesc", "src"],
    img: ["longdesc", "src", "usemap"],
    input: ["src", "usemap", "formaction"],
    ins: ["cite"],
    link: ["href"],
    object: ["classid", "codebase", "data", "usemap"],
    q: ["cite"],
    script: ["src"],
    source: ["src"],
    video: ["poster", "src"],
  }),
);

/** Elements whose content is text, in which nothing is a tag but their own end. */
const textElements: ReadonlySet<string> = new Set([
  ...["iframe", "noembed", "noframes", "noscript", "plaintext", "script", "style", "textarea", "title", "xmp"],
]);

/** Length in bytes beyond which a tag is passed on as it is, so that a page without an end of a tag is not kept whole. */
const maxTagBytes = 1024 * 1024;

/**
 * Changes the links of a page as it passes through. Everything else stays as it is, byte for byte. The page is taken for
 * UTF-8.
 */
export class HtmlLinks extends Transform {
  readonly #change: ChangeLink;
  /** Bytes that have no meaning yet, one for each character. */
  #pending = "";
  /** The pattern of the end of what passes unchanged: a comment, or the content of a text element. */
  #until: RegExp | undefined;

  constructor(change: ChangeLink) {
    super();
    this.#change = change;
  }

  override _transform(piece: Buffer, _encoding: string, done: TransformCallback): void {
    this.#pending += piece.toString("latin1");
    this.push(Buffer.from(this.#take(), "latin1"));
    done();
  }

  override _flush(done: TransformCallback): void {
    this.push(Buffer.from(this.#pending, "latin1"));
    done();
  }

  /** Takes what is understood of the pending bytes, and returns it with its links changed. */
  #take(): string {
    const text = this.#pending;
    const out: string[] = [];
    let at = 0;
    for (;;) {
      if (this.#until !== undefined) {
        const end = indexAfter(this.#until, text, at);
        if (end < 0) {
          // The end may have begun in the last bytes.
          const kept = Math.max(at, text.length - longestEnd);
          out.push(text.slice(at, kept));
          at = kept;
          break;
        }
        this.#until = undefined;
        out.push(text.slice(at, end));
        at = end;
      }
      const open = text.indexOf("<", at);
      out.push(text.slice(at, open < 0 ? undefined : open));
      at = open < 0 ? text.length : open;
      if (open < 0 || text.length - open < "<!--".length) {
        break;
      }
      if (text.startsWith("<!--", open)) {
        this.#until = /--!?>/g;
      } else if (/[!?/]/.test(text.charAt(open + 1))) {
        this.#until = />/g;
      } else if (/[a-z]/i.test(text.charAt(open + 1))) {
        const tag = readTag(text, open);
        if (tag === undefined && text.length - open <= maxTagBytes) {
          break;
        }
        out.push(tag === undefined ? "<" : this.#changed(text, open, tag));
        at = tag?.end ?? open + 1;
        if (tag !== undefined && textElements.has(tag.name)) {
          this.#until = new RegExp(`(?=</${tag.name}[\\s/>])`, "gi");
        }
      } else {
        out.push("<");
        at = open + 1;
      }
    }
    this.#pending = text.slice(at);
    return out.join("");
  }

  #changed(text: string, start: number, { name, end, attributes }: Tag): string {
    const wanted = linkAttributes.get(name);
    const out: string[] = [];
    let at = start;
    for (const attribute of attributes) {
      if (wanted?.includes(attribute.name) !== true) {
        continue;
      }
      const link = unescapeHtml(Buffer.from(attribute.value, "latin1").toString());
      const changed = this.#change(link);
      if (changed !== link) {
        out.push(text.slice(at, attribute.start), `"${Buffer.from(escapeHtml(changed)).toString("latin1")}"`);
        at = attribute.end;
      }
    }
    out.push(text.slice(at, end));
    return out.join("");
  }
}

/** Characters of the longest end of what passes unchanged, `</plaintext` and one more. */
const longestEnd = 13;

/** A tag at the beginning of an element. */
interface Tag {
  /** The name in lower case. */
  readonly name: string;
  /** The place behind the tag. */
  readonly end: number;
  readonly attributes: readonly Attribute[];
}

interface Attribute {
  /** The name in lower case. */
  readonly name: string;
  readonly value: string;
  /** The places of the value in the text, with its quotes. */
  readonly start: number;
  readonly end: number;
}

/** Reads the tag that begins at `<`; undefined if its end has not come yet. */
function readTag(text: string, open: number): Tag | undefined {
  const name = /[^\s/>]*/y;
  name.lastIndex = open + 1;
  const [found = ""] = name.exec(text) ?? [];
  const attributes: Attribute[] = [];
  const part = /[\s/]*(?:(>)|([^\s/>][^\s/=>]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*|(?=>))))?)/y;
  part.lastIndex = name.lastIndex;
  for (;;) {
    const start = part.lastIndex;
    const match = part.exec(text);
    if (match === null) {
      return undefined;
    }
    const [whole, close, attribute = "", double, single, bare] = match;
    if (close !== undefined) {
      return { name: found.toLowerCase(), end: part.lastIndex, attributes };
    }
    // More of it may come, or a quote that was not closed looks like a name.
    if (
      part.lastIndex === text.length ||
      ((double ?? single ?? bare) === undefined && /^\s*=\s*["']/.test(text.slice(part.lastIndex, part.lastIndex + 8)))
    ) {
      return undefined;
    }
    const value = double ?? single ?? bare;
    if (value !== undefined && !attributes.some((earlier) => earlier.name === attribute.toLowerCase())) {
      const length = value.length + (bare === undefined ? 2 : 0);
      const end = start + whole.length;
      attributes.push({ name: attribute.toLowerCase(), value, start: end - length, end });
    }
  }
}

function indexAfter(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text) === null ? -1 : pattern.lastIndex;
}

const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Resolves the character references that links are written with; others stay. */
function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) {
      return references[name.toLowerCase()] ?? whole;
    }
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("'", "&#39;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&#34;")
    .replaceAll("\r", "&#13;");
}
