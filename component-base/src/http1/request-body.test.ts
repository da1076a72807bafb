import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ChunkedBody, MalformedBodyError, MeasuredBody, type RequestBody } from "./request-body.js";

/** Reads bytes in pieces of one size. Returns the data, the trailers, and what is behind the body. */
function readAll(body: RequestBody, text: string, pieceLength: number) {
  let [data, behind] = ["", ""];
  let trailers: readonly string[] = [];
  const sink = {
    onData(bytes: Buffer) {
      data += bytes.toString("latin1");
    },
    onTrailers(fields: readonly string[]) {
      trailers = fields;
    },
  };
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = Buffer.from(text.slice(at, at + pieceLength), "latin1");
    behind += piece.subarray(body.isWhole ? 0 : body.read(piece, sink)).toString("latin1");
  }
  return { data, trailers, behind, isWhole: body.isWhole };
}

describe("a body whose length is known", () => {
  it("ends where it says", () => {
    for (const pieceLength of [1, 3, 100]) {
      const read = readAll(new MeasuredBody(5), "abcdeGET", pieceLength);
      assert.deepEqual(read, { data: "abcde", trailers: [], behind: "GET", isWhole: true });
    }
  });
});

describe("a body in chunks", () => {
  const wire = '3\r\nabc\r\n0A;name="value"\r\n0123456789\r\n0\r\nX-A: b \r\nx-c:d\r\n\r\nGET';

  it("is the data of its chunks, however it comes", () => {
    for (const pieceLength of [1, 2, 7, 1000]) {
      const read = readAll(new ChunkedBody(), wire, pieceLength);
      assert.deepEqual(read, {
        data: "abc0123456789",
        trailers: ["X-A", "b", "x-c", "d"],
        behind: "GET",
        isWhole: true,
      });
    }
  });

  it("may have no data", () => {
    assert.deepEqual(readAll(new ChunkedBody(), "0\r\n\r\n", 1), {
      data: "",
      trailers: [],
      behind: "",
      isWhole: true,
    });
  });

  for (const [what, text] of [
    ["no size", "\r\nabc\r\n"],
    ["a size that is no number", "x\r\nabc\r\n"],
    ["a size with a sign", "-3\r\nabc\r\n"],
    ["a size with a prefix", "0x3\r\nabc\r\n"],
    ["a size that no number holds", "fffffffffffffff\r\n"],
    ["a line that ends without a carriage return", "3\nabc\r\n"],
    ["a chunk that is longer than it says", "2\r\nabc\r\n"],
    ["a chunk that ends without a carriage return", "3\r\nabc\n"],
    ["a line that does not end", `3;${"x".repeat(5000)}`],
    ["mostly framing", `${"1;xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\na\r\n".repeat(1000)}`],
    ["a trailer without a colon", "0\r\nabc\r\n\r\n"],
    ["a trailer with a bad name", "0\r\na b: c\r\n\r\n"],
    ["a trailer without a name", "0\r\n: c\r\n\r\n"],
    ["a trailer with a control character", "0\r\na: b\x01\r\n\r\n"],
    ["trailers without an end", `0\r\n${"a: b\r\n".repeat(2000)}`],
  ] as const) {
    it(`is malformed with ${what}`, () => {
      for (const pieceLength of [1, 4096]) {
        assert.throws(() => readAll(new ChunkedBody(), text, pieceLength), MalformedBodyError);
      }
    });
  }
});
