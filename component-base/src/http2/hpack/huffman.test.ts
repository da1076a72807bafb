import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:http2";
import { type AddressInfo, createServer } from "node:net";
import { describe, it } from "node:test";
import { FrameReader, frameFlag, frameType, preface, settingsFrame } from "../frames.js";
import { errorCode, Http2Error } from "../http2-error.js";
import { FieldDecoder } from "./field-decoder.js";
import { decodeHuffman } from "./huffman.js";

function decode(hex: string): string {
  const bytes = Buffer.from(hex, "hex");
  return decodeHuffman(bytes, 0, bytes.length);
}

/** Asks node's client, which encodes in Huffman's code what becomes shorter by it, for its blocks of these values. */
async function blocksOfNode(values: readonly string[]): Promise<Buffer[]> {
  const blocks: Buffer[] = [];
  let resolve = (): void => {};
  const done = new Promise<void>((settle) => {
    resolve = settle;
  });
  const server = createServer((socket) => {
    const reader = new FrameReader((type, flags, _, payload) => {
      if (type === frameType.headers) {
        blocks.push(Buffer.from(payload.subarray((flags & frameFlag.priority) === 0 ? 0 : 5)));
        if (blocks.length === values.length) {
          resolve();
        }
      }
    });
    let skipped = preface.length;
    socket.write(settingsFrame([]));
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      const rest = bytes.subarray(Math.min(skipped, bytes.length));
      skipped -= bytes.length - rest.length;
      reader.push(rest);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    peerMaxConcurrentStreams: values.length,
  });
  client.on("error", () => {});
  for (const value of values) {
    client.request({ "x-value": value }).on("error", () => {});
  }
  await done;
  client.destroy();
  server.close();
  return blocks;
}

describe("Huffman's code", () => {
  it("gives every byte back that another implementation has encoded", async () => {
    // Zeros are short in the code, so that it is used in spite of a long one among them. Node takes all but NUL.
    const values = Array.from({ length: 255 }, (_, at) => `0${String.fromCharCode(at + 1)}${"0".repeat(64)}`);
    const blocks = await blocksOfNode(values);
    const decoder = new FieldDecoder({ maxTableBytes: 4096, maxListBytes: 65_536 });
    const decoded = blocks.map((block) => {
      assert.ok(block.length < 100, "the block is encoded");
      const { fields } = decoder.decode(block);
      return fields[fields.indexOf("x-value") + 1];
    });
    assert.deepEqual(decoded, values);
    assert.equal(decode("ffc7"), "\0"); // 13 bits, and 3 of padding
  });

  it("takes nothing for an empty string", () => {
    assert.equal(decode(""), "");
  });

  it("takes up to seven ones as padding", () => {
    assert.equal(decode("07"), "0"); // five bits and three ones
    assert.equal(decode("f8"), "&"); // a code of eight bits
    assert.equal(decode("f1e3c2e5f23a6ba0ab90f4ff"), "www.example.com");
  });

  it("refuses other padding, longer padding and the end of a string", () => {
    const refused = [
      "00",
      "06",
      "03",
      "ff",
      "07ff",
      "f8ff",
      "ffffff",
      "ffffffff",
      "fffffffc",
      "07ffffffff",
      "fe",
      "7e",
    ];
    for (const hex of refused) {
      assert.throws(
        () => decode(hex),
        (error) => error instanceof Http2Error && error.code === errorCode.compressionError,
        hex,
      );
    }
  });
});
