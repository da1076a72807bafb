/**
 * Stored objects have no `metadata.resourceVersion`: it is known only after the commit. These functions put it into the
 * JSON, as bytes, without parsing.
 */

/** The place of the member, and the text around its digits. */
interface Place {
  readonly at: number;
  readonly before: string;
  readonly after: string;
  /** Returns the place of the digits in a value that is stamped already. */
  readonly digitsAt: (digits: number) => number;
}

/** A value and the text to be inserted, not yet put together: the caller that needs the bytes chooses their place. */
export interface StampedValue {
  readonly value: Buffer;
  /** Offset of the text from the start of the value. */
  readonly at: number;
  readonly text: string;
  /** Bytes of both together. */
  readonly length: number;
}

const uidMark = Buffer.from('"uid":"');
const metadataMark = Buffer.from('"metadata":{');
/** Beginning of every object of a built-in kind, and of none of a custom kind, whose members are sorted. */
const canonicalMark = Buffer.from('{"kind":');

const quoteByte = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

function digits(revision: number): number {
  return String(revision).length;
}

/**
 * Plans the object's JSON with its resource version: `writeStamped` puts the bytes where they are to stay. A value that
 * is no object with metadata stays as it is.
 */
export function planStamp(value: Buffer, revision: number): StampedValue {
  const place = findPlace(value);
  if (place === undefined) {
    return { value, at: 0, text: "", length: value.length };
  }
  const text = place.before + revision + place.after;
  return { value, at: place.at, text, length: value.length + text.length };
}

/** Writes the bytes of a stamped value to `start` in `target`. */
export function writeStamped({ value, at, text }: StampedValue, target: Buffer, start: number): void {
  // A copy of a part makes an object for that part; to move the short beginning costs less.
  target.set(value, start + text.length);
  target.copyWithin(start, start + text.length, start + text.length + at);
  target.write(text, start + at, "latin1");
}

/** Reports whether bytes equal a stamped value, without putting that together. */
export function isStamped({ value, at, text, length }: StampedValue, bytes: Buffer): boolean {
  const after = at + text.length;
  return (
    bytes.length === length &&
    bytes.compare(value, 0, at, 0, at) === 0 &&
    bytes.compare(value, at, value.length, after) === 0 &&
    bytes.toString("latin1", at, after) === text
  );
}

/** Returns a copy of bytes that were stamped with `revision`, with other digits. */
export function restamp(stamped: Buffer, revision: number, newRevision: number): Buffer {
  const place = findPlace(stamped);
  if (place === undefined) {
    return stamped;
  }
  const start = place.digitsAt(digits(revision));
  return Buffer.concat([
    stamped.subarray(0, start),
    Buffer.from(String(newRevision)),
    stamped.subarray(start + digits(revision)),
  ]);
}

/**
 * Returns the place of the resource version. Canonical JSON has it behind the uid, and before the uid only names. Objects
 * of custom kinds have it before the uid, which is the last member of their metadata. In other objects it becomes the
 * first member of the metadata.
 */
function findPlace(value: Buffer): Place | undefined {
  const metadata = value.indexOf(metadataMark);
  const isAtTop = metadata >= 0 && isPlain(value, 1, metadata);
  if (!value.subarray(0, canonicalMark.length).equals(canonicalMark)) {
    return placeBeforeUid(value, isAtTop ? metadata + metadataMark.length : findMetadata(value));
  }
  const uid = metadata < 0 ? -1 : value.indexOf(uidMark, metadata);
  if (uid >= 0 && isAtTop && isPlain(value, metadata + metadataMark.length, uid)) {
    return placeAfter(endOfString(value, uid + uidMark.length - 1), ',"resourceVersion":"', '"');
  }
  return placeAtStart(value, findMetadata(value));
}

function placeAfter(at: number, before: string, after: string): Place {
  return { at, before, after, digitsAt: () => at + before.length };
}

function placeAtStart(value: Buffer, start: number | undefined): Place | undefined {
  if (start === undefined) {
    return undefined;
  }
  return placeAfter(start, '"resourceVersion":"', value[start] === closeBrace ? '"' : '",');
}

/** Returns the place before the uid. `start` is behind the brace that opens the metadata. */
function placeBeforeUid(value: Buffer, start: number | undefined): Place | undefined {
  const end = start === undefined ? -1 : endOfContainer(value, start);
  const at = end < 0 ? -1 : value.lastIndexOf(uidMark, end);
  if (at < 0 || start === undefined || at < start || endOfString(value, at + uidMark.length - 1) !== end) {
    return placeAtStart(value, start);
  }
  const after = '",';
  return { at, before: '"resourceVersion":"', after, digitsAt: (digits) => at - after.length - digits };
}

/** Returns the position of the brace that closes the object whose members begin at `start`; -1 if there is none. */
function endOfContainer(value: Buffer, start: number): number {
  let depth = 1;
  for (let i = start; i < value.length; i++) {
    const byte = value[i];
    if (byte === quoteByte) {
      i = endOfString(value, i) - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) {
      return i;
    }
  }
  return -1;
}

/** Reports whether no bracket or brace is between two positions outside of strings, so that both are at the same depth. */
function isPlain(value: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const byte = value[i];
    if (byte === quoteByte) {
      i = endOfString(value, i) - 1;
    } else if (byte === openBrace || byte === closeBrace || byte === openBracket || byte === closeBracket) {
      return false;
    }
  }
  return true;
}

/** Returns the position behind the brace that opens the value of the outermost member `metadata`. */
function findMetadata(value: Buffer): number | undefined {
  let depth = 0;
  for (let i = 0; i < value.length; i++) {
    switch (value[i]) {
      case openBrace:
      case openBracket:
        depth++;
        break;
      case closeBrace:
      case closeBracket:
        depth--;
        break;
      case quoteByte: {
        const end = endOfString(value, i);
        const isMember = depth === 1 && value.compare(metadataMark, 0, metadataMark.length, i, end + 2) === 0;
        if (isMember) {
          return end + 2;
        }
        i = end - 1;
        break;
      }
    }
  }
  return undefined;
}

/** Returns the position behind the quote that closes the string that opens at `start`. */
function endOfString(value: Buffer, start: number): number {
  let i = start + 1;
  while (i < value.length && value[i] !== quoteByte) {
    i += value[i] === backslash ? 2 : 1;
  }
  return i + 1;
}
