/** The facts of an entry that its header states. */
export interface TarEntry {
  /** The path; that of a folder ends with a slash. */
  readonly name: string;
  readonly type: "file" | "symlink" | "directory";
  /** The permission bits. */
  readonly mode: number;
  /** The user and the group that own it. */
  readonly uid: number;
  /** The size of the content in bytes; 0 for anything but a file. */
  readonly size: number;
  /** The target of a symbolic link; empty for anything else. */
  readonly link: string;
  /** The time in seconds since 1970. */
  readonly time: number;
}

/** The size of the blocks that an archive consists of, in bytes. */
export const blockSize = 512;

const typeFlags = { file: "0", symlink: "2", directory: "5" };

/** The longest name and the longest folder above it that a header has room for, in bytes. */
const maxName = 100;
const maxPrefix = 155;

/**
 * Returns the header of an entry by POSIX.1-2001, in whole blocks: a ustar header, and before it a pax header with the path
 * and the target that the other has no room for, or that are not ASCII.
 */
export function tarHeader(entry: TarEntry): Buffer {
  const { name, link } = entry;
  const split = splitName(name);
  const records = [
    ...(split === undefined ? [paxRecord("path", name)] : []),
    ...(fits(link, maxName) ? [] : [paxRecord("linkpath", link)]),
  ];
  // Readers that know no pax header find something to show.
  const [prefix, rest] = split ?? ["", name.slice(0, maxName / 4)];
  const own = ustarHeader(entry, { prefix, name: rest, typeFlag: typeFlags[entry.type], size: entry.size });
  if (records.length === 0) {
    return own;
  }
  const content = Buffer.concat(records);
  const pax = { prefix: "", name: "PaxHeader", typeFlag: "x", size: content.length };
  return Buffer.concat([ustarHeader({ ...entry, mode: 0o644, link: "" }, pax), content, padding(content.length), own]);
}

/** Returns the zeros that fill the last block of a content. */
export function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}

interface UstarFields {
  readonly prefix: string;
  readonly name: string;
  readonly typeFlag: string;
  readonly size: number;
}

function ustarHeader({ mode, uid, time, link }: TarEntry, { prefix, name, typeFlag, size }: UstarFields): Buffer {
  const header = Buffer.alloc(blockSize);
  const octal = (value: number, start: number, digits: number): void => {
    header.write(value.toString(8).padStart(digits, "0"), start);
  };
  header.write(name, 0);
  octal(mode, 100, 7);
  octal(uid, 108, 7);
  octal(uid, 116, 7);
  octal(size, 124, 11);
  octal(time, 136, 11);
  // The checksum is that of a header with spaces in its place.
  header.write("        ", 148);
  header.write(typeFlag, 156);
  header.write(fits(link, maxName) ? link : "", 157);
  header.write("ustar\0", 257);
  header.write("00", 263);
  header.write(prefix, 345);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    6,
  );
  header[154] = 0;
  return header;
}

/** Splits a path into a folder and the rest of it, which a header has room for; undefined where that is not possible. */
function splitName(path: string): readonly [prefix: string, name: string] | undefined {
  if (fits(path, maxName)) {
    return ["", path];
  }
  for (let slash = path.indexOf("/"); slash > 0 && slash < path.length - 1; slash = path.indexOf("/", slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)];
    if (fits(prefix, maxPrefix) && fits(name, maxName)) {
      return [prefix, name];
    }
  }
  return undefined;
}

function fits(text: string, maxBytes: number): boolean {
  return text.length <= maxBytes && Buffer.byteLength(text) === text.length;
}

/** Returns a record of a pax header, which begins with its own length. */
function paxRecord(key: string, value: string): Buffer {
  const rest = Buffer.from(` ${key}=${value}\n`);
  let size = rest.length;
  while (size !== rest.length + String(size).length) {
    size = rest.length + String(size).length;
  }
  return Buffer.concat([Buffer.from(String(size)), rest]);
}
