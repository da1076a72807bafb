import { errorCode, Http2Error } from "../http2-error.js";

/**
 * Lengths in bits of the codes of all bytes and of the end of a string (RFC 7541, appendix B). The code is canonical: codes
 * of one length follow each other in the order of their symbols, so that the lengths tell them all.
 */
const codeLengths: readonly number[] = [
  ...[13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28],
  ...[28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15],
  ...[6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6],
  ...[15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20],
  ...[20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23],
  ...[24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22],
  ...[22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27],
  ...[24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26],
  ...[26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30],
];

const endOfString = 256;

/**
 * Steps of the decoder: 256 for each state, by the next eight bits. A positive step is the next state; a negative one is
 * the complement of a symbol times 16, plus the bits of these eight that belong to its code; 0 is no code.
 */
const steps: Int32Array = buildSteps();

/** Decodes a string of Huffman's code in a buffer. Throws Http2Error when it is none. */
export function decodeHuffman(bytes: Buffer, start: number, end: number): string {
  // The shortest code has 5 bits.
  const decoded = Buffer.allocUnsafe(Math.ceil(((end - start) * 8) / 5));
  let length = 0;
  let state = 0;
  /** The last bytes that were read, of whose bits the last `bits` are not decoded yet. */
  let window = 0;
  let bits = 0;
  /** Bits of the code that is under way and has been stepped through. */
  let codeBits = 0;
  let at = start;
  for (;;) {
    if (bits < 8 && at < end) {
      window = ((window << 8) | (bytes[at++] as number)) & 0xffff;
      bits += 8;
    }
    const next = bits >= 8 ? window >> (bits - 8) : window << (8 - bits);
    const step = steps[state * 256 + (next & 0xff)] as number;
    const leaf = ~step;
    if (step > 0 && bits >= 8) {
      state = step;
      codeBits += 8;
      bits -= 8;
    } else if (step < 0 && (leaf & 15) <= bits) {
      decoded[length++] = leaf >> 4;
      bits -= leaf & 15;
      state = 0;
      codeBits = 0;
    } else {
      break;
    }
  }
  // What is left over must be the beginning of the code of the end, which has ones only, and shorter than a byte.
  if (codeBits + bits > 7 || (window & ((1 << bits) - 1)) !== (1 << bits) - 1) {
    throw new Http2Error(errorCode.compressionError, "a string in Huffman's code is malformed");
  }
  return decoded.toString("latin1", 0, length);
}

function buildSteps(): Int32Array {
  const states: number[][] = [new Array<number>(256).fill(0)];
  const symbols = codeLengths.map((_, symbol) => symbol);
  symbols.sort((a, b) => (codeLengths[a] as number) - (codeLengths[b] as number) || a - b);
  let code = 0;
  let length = 0;
  for (const symbol of symbols) {
    const wanted = codeLengths[symbol] as number;
    code *= 2 ** (wanted - length);
    length = wanted;
    if (symbol !== endOfString) {
      addCode(states, { symbol, code, length });
    }
    code++;
  }
  return Int32Array.from(states.flat());
}

function addCode(
  states: number[][],
  { symbol, code, length }: { readonly symbol: number; readonly code: number; readonly length: number },
): void {
  let state = 0;
  let left = length;
  for (; left > 8; left -= 8) {
    const byte = (code >>> (left - 8)) & 0xff;
    const known = states[state] as number[];
    if (known[byte] === 0) {
      known[byte] = states.length;
      states.push(new Array<number>(256).fill(0));
    }
    state = known[byte] as number;
  }
  const first = (code << (8 - left)) & 0xff;
  (states[state] as number[]).fill(~(symbol * 16 + left), first, first + 2 ** (8 - left));
}
