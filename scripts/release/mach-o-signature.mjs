// Signs executables for macOS ad hoc, as `codesign --sign -` does: with the digests of their pages, and nobody's name. Apple's
// processors run no code without. Only macOS can tell whether it takes a signature; what can be read here is checked.
import { createHash } from "node:crypto";

const loadCommand = { segment: 0x19, codeSignature: 0x1d };
const headerBytes = 32;
const signatureCommandBytes = 16;
/** Numbers of the blobs of a signature, which are written with the most significant byte first. */
const magic = { superBlob: 0xfade0cc0, codeDirectory: 0xfade0c02 };
const superBlobBytes = 20;
const directoryBytes = 88;
const directoryVersion = 0x20400;
/** Ad hoc, and made by the one who linked the file: such a signature needs no requirements. */
const flags = 0x2 | 0x20000;
const sha256 = { type: 2, bytes: 32 };
const pageBits = 12;
const pageBytes = 2 ** pageBits;
const mainBinary = 1n;
const alignment = 16;
/** The size to which segments are rounded in memory: that of pages on Apple's processors. */
const memoryPage = 0x4000n;

/** Returns an executable of 64 bits with a signature at its end, in place of the one that it has. */
export function signMachO(executable, identifier) {
  const { text, linkEdit, signature, commandsEnd } = layoutOf(executable);
  const codeEnd = align(signature?.offset ?? executable.length, alignment);
  const size = signatureBytes(codeEnd, identifier);
  const signed = Buffer.alloc(codeEnd + size);
  executable.copy(signed, 0, 0, Math.min(executable.length, codeEnd));
  const commandAt = signature?.at ?? commandsEnd;
  if (signature === undefined) {
    addCommand(signed, commandsEnd, text);
  }
  signed.writeUInt32LE(loadCommand.codeSignature, commandAt);
  signed.writeUInt32LE(signatureCommandBytes, commandAt + 4);
  signed.writeUInt32LE(codeEnd, commandAt + 8);
  signed.writeUInt32LE(size, commandAt + 12);
  const linkEditBytes = BigInt(codeEnd + size) - linkEdit.offset;
  signed.writeBigUInt64LE(linkEditBytes, linkEdit.at + 48);
  const inMemory = signed.readBigUInt64LE(linkEdit.at + 32);
  const needed = ((linkEditBytes + memoryPage - 1n) / memoryPage) * memoryPage;
  signed.writeBigUInt64LE(inMemory > needed ? inMemory : needed, linkEdit.at + 32);
  writeSignature(signed, codeEnd, identifier, text);
  return signed;
}

/** Throws unless an executable carries a signature with the digests of all its pages. */
export function checkSignature(executable) {
  const { signature } = layoutOf(executable);
  if (signature === undefined) {
    throw new Error("the executable is not signed");
  }
  const blob = executable.subarray(signature.offset, signature.offset + signature.size);
  const directory = blob.subarray(blob.readUInt32BE(16));
  const isKnown = blob.readUInt32BE(0) === magic.superBlob && directory.readUInt32BE(0) === magic.codeDirectory;
  if (!isKnown || directory.readUInt32BE(32) !== signature.offset) {
    throw new Error("the signature is not about the whole executable");
  }
  const digestsAt = directory.readUInt32BE(16);
  pagesOf(executable, signature.offset).forEach((digest, index) => {
    const at = digestsAt + index * sha256.bytes;
    if (!digest.equals(directory.subarray(at, at + sha256.bytes))) {
      throw new Error(`the signature has another digest of page ${index}`);
    }
  });
}

/** Returns the places of what a signature is about, each with `at`, the offset of its load command. */
function layoutOf(bytes) {
  if (bytes.length < headerBytes || bytes.readUInt32LE(0) !== 0xfeedfacf) {
    throw new Error("the executable is no Mach-O of 64 bits");
  }
  const commandsEnd = headerBytes + bytes.readUInt32LE(20);
  let text;
  let linkEdit;
  let signature;
  for (let at = headerBytes; at < commandsEnd; at += bytes.readUInt32LE(at + 4)) {
    switch (bytes.readUInt32LE(at)) {
      case loadCommand.segment: {
        const name = bytes.toString("latin1", at + 8, at + 24).replace(/\0+$/, "");
        const segment = { at, offset: bytes.readBigUInt64LE(at + 40), size: bytes.readBigUInt64LE(at + 48) };
        text = name === "__TEXT" ? segment : text;
        linkEdit = name === "__LINKEDIT" ? segment : linkEdit;
        break;
      }
      case loadCommand.codeSignature:
        signature = { at, offset: bytes.readUInt32LE(at + 8), size: bytes.readUInt32LE(at + 12) };
    }
  }
  if (text === undefined || linkEdit === undefined) {
    throw new Error("the executable has no segment __TEXT, or no __LINKEDIT");
  }
  return { text, linkEdit, signature, commandsEnd };
}

/** Counts one more load command in the header, which must have room for it before the first section. */
function addCommand(bytes, commandsEnd, text) {
  const sections = bytes.readUInt32LE(text.at + 64);
  const offsets = Array.from({ length: sections }, (_, index) => bytes.readUInt32LE(text.at + 72 + index * 80 + 48));
  if (Math.min(...offsets) < commandsEnd + signatureCommandBytes) {
    throw new Error("the header has no room for a signature");
  }
  bytes.writeUInt32LE(bytes.readUInt32LE(16) + 1, 16);
  bytes.writeUInt32LE(bytes.readUInt32LE(20) + signatureCommandBytes, 20);
}

function signatureBytes(codeEnd, identifier) {
  return superBlobBytes + directorySize(codeEnd, identifier);
}

function directorySize(codeEnd, identifier) {
  return directoryBytes + identifier.length + 1 + Math.ceil(codeEnd / pageBytes) * sha256.bytes;
}

function writeSignature(bytes, codeEnd, identifier, text) {
  const blob = bytes.subarray(codeEnd);
  // One blob, the directory, which lies in the slot 0.
  writeNumbers(blob, [magic.superBlob, blob.length, 1, 0, superBlobBytes]);
  const directory = blob.subarray(superBlobBytes);
  const digestsAt = directoryBytes + identifier.length + 1;
  const pages = pagesOf(bytes, codeEnd);
  const head = [magic.codeDirectory, directory.length, directoryVersion, flags, digestsAt, directoryBytes, 0];
  writeNumbers(directory, [...head, pages.length, codeEnd]);
  directory.writeUInt8(sha256.bytes, 36);
  directory.writeUInt8(sha256.type, 37);
  directory.writeUInt8(pageBits, 39);
  directory.writeBigUInt64BE(text.offset, 64);
  directory.writeBigUInt64BE(text.size, 72);
  directory.writeBigUInt64BE(mainBinary, 80);
  directory.write(identifier, directoryBytes, "latin1");
  Buffer.concat(pages).copy(directory, digestsAt);
}

function writeNumbers(bytes, numbers) {
  for (const [index, value] of numbers.entries()) {
    bytes.writeUInt32BE(value, index * 4);
  }
}

function pagesOf(bytes, codeEnd) {
  return Array.from({ length: Math.ceil(codeEnd / pageBytes) }, (_, index) => {
    const page = bytes.subarray(index * pageBytes, Math.min((index + 1) * pageBytes, codeEnd));
    return createHash("sha256").update(page).digest();
  });
}

function align(value, to) {
  return Math.ceil(value / to) * to;
}
