import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { errorCode, Http2Error } from "../http2-error.js";
import { type DecodedBlock, FieldDecoder, type FieldDecoderOptions } from "./field-decoder.js";

function decoderOf(options: Partial<FieldDecoderOptions> = {}): FieldDecoder {
  return new FieldDecoder({ maxTableBytes: 4096, maxListBytes: 65_536, ...options });
}

function decode(decoder: FieldDecoder, hex: string): DecodedBlock {
  return decoder.decode(Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

/** Asserts that a block ends the connection as RFC 7541 demands. */
function refuses(hex: string, decoder = decoderOf()): void {
  assert.throws(
    () => decode(decoder, hex),
    (error) => error instanceof Http2Error && error.code === errorCode.compressionError,
    hex,
  );
}

const date21 = "Mon, 21 Oct 2013 20:13:21 GMT";
const date22 = "Mon, 21 Oct 2013 20:13:22 GMT";
const requests = [
  [":method", "GET", ":scheme", "http", ":path", "/", ":authority", "www.example.com"],
  [":method", "GET", ":scheme", "http", ":path", "/", ":authority", "www.example.com", "cache-control", "no-cache"],
  [
    ...[":method", "GET", ":scheme", "https", ":path", "/index.html", ":authority", "www.example.com"],
    ...["custom-key", "custom-value"],
  ],
];
const place = ["location", "https://www.example.com"];
const responses = [
  [":status", "302", "cache-control", "private", "date", date21, ...place],
  [":status", "307", "cache-control", "private", "date", date21, ...place],
  [
    ...[":status", "200", "cache-control", "private", "date", date22, ...place, "content-encoding", "gzip"],
    ...["set-cookie", "foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"],
  ],
];

/** The examples of RFC 7541, appendix C. Those of one row come one after the other on one connection. */
const examples: readonly (readonly [
  section: string,
  tableBytes: number,
  blocks: readonly (readonly [hex: string, fields: readonly string[]])[],
])[] = [
  ["C.2.1", 4096, [["400a637573746f6d2d6b65790d637573746f6d2d686561646572", ["custom-key", "custom-header"]]]],
  ["C.2.2", 4096, [["040c2f73616d706c652f70617468", [":path", "/sample/path"]]]],
  ["C.2.3", 4096, [["100870617373776f726406736563726574", ["password", "secret"]]]],
  ["C.2.4", 4096, [["82", [":method", "GET"]]]],
  [
    "C.3",
    4096,
    [
      ["828684410f7777772e6578616d706c652e636f6d", requests[0] ?? []],
      ["828684be58086e6f2d6361636865", requests[1] ?? []],
      ["828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565", requests[2] ?? []],
    ],
  ],
  [
    "C.4",
    4096,
    [
      ["828684418cf1e3c2e5f23a6ba0ab90f4ff", requests[0] ?? []],
      ["828684be5886a8eb10649cbf", requests[1] ?? []],
      ["828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf", requests[2] ?? []],
    ],
  ],
  [
    "C.5",
    256,
    [
      [
        "4803333032580770726976617465611d4d6f6e2c203231204f637420323031332032303a31333a323120474d54" +
          "6e1768747470733a2f2f7777772e6578616d706c652e636f6d",
        responses[0] ?? [],
      ],
      ["4803333037c1c0bf", responses[1] ?? []],
      [
        "88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d54c05a04677a69707738666f6f3d4153444a4b48" +
          "514b425a584f5157454f50495541585157454f49553b206d61782d6167653d333630303b2076657273696f6e3d31",
        responses[2] ?? [],
      ],
    ],
  ],
  [
    "C.6",
    256,
    [
      [
        "488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a62d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3",
        responses[0] ?? [],
      ],
      ["4883640effc1c0bf", responses[1] ?? []],
      [
        "88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f" +
          "3672c1ab270fb5291f9587316065c003ed4ee5b1063d5007",
        responses[2] ?? [],
      ],
    ],
  ],
];

describe("the decoder of fields", () => {
  for (const [section, maxTableBytes, blocks] of examples) {
    it(`reads the examples of RFC 7541, ${section}`, () => {
      const decoder = decoderOf({ maxTableBytes });
      for (const [hex, fields] of blocks) {
        assert.deepEqual(decode(decoder, hex), { fields, isMalformed: false, isTooLarge: false });
      }
    });
  }

  it("refuses an index of no field", () => {
    refuses("80"); // index 0
    refuses("be"); // 62: the first of an empty dynamic table
    refuses("ff8001"); // 255
    refuses("7e 01 61"); // a name of index 62
    refuses("0f 2f 01 61"); // the same without addition
  });

  it("refuses a field that has been evicted", () => {
    const decoder = decoderOf({ maxTableBytes: 68 });
    // Each field counts 34 bytes: two fit.
    decode(decoder, "40 01 61 01 31 40 01 62 01 32");
    assert.deepEqual(decode(decoder, "bf be").fields, ["a", "1", "b", "2"]);
    decode(decoder, "40 01 63 01 33");
    assert.deepEqual(decode(decoder, "bf be").fields, ["b", "2", "c", "3"]);
    refuses("c0", decoder);
  });

  it("empties the table for a field that is larger than it", () => {
    const decoder = decoderOf({ maxTableBytes: 40 });
    decode(decoder, "40 01 61 01 31");
    assert.deepEqual(decode(decoder, "40 01 62 09 313131313131313131").fields, ["b", "1".repeat(9)]);
    refuses("be", decoder);
  });

  it("takes the name of a new field from one that is evicted for it", () => {
    const decoder = decoderOf({ maxTableBytes: 40 });
    decode(decoder, "40 01 61 01 31");
    assert.deepEqual(decode(decoder, "7e 01 32").fields, ["a", "2"]);
    assert.deepEqual(decode(decoder, "be").fields, ["a", "2"]);
  });

  it("changes the size of the table before fields, and only as far as it has allowed", () => {
    const decoder = decoderOf();
    decode(decoder, "40 01 61 01 31");
    assert.deepEqual(decode(decoder, "20 3fe11f 40 01 62 01 32 be").fields, ["b", "2", "b", "2"]);
    refuses("bf", decoder);
    refuses("3fe21f"); // 4097
    refuses("82 20"); // after a field
  });

  it("refuses blocks that are cut off", () => {
    const whole = Buffer.from("0f0003616263828684418cf1e3c2e5f23a6ba0ab90f4ff3f", "hex");
    for (let length = 1; length < whole.length; length++) {
      const cut = whole.subarray(0, length).toString("hex");
      if ([6, 7, 8, 9, 23].includes(length)) {
        assert.ok(decode(decoderOf(), cut).fields.length > 0, cut);
      } else {
        refuses(cut);
      }
    }
  });

  it("refuses integers that are too large, or have no end", () => {
    refuses("ff ffffffff7f");
    refuses("ff ffffffffffffffffffffffffff7f");
    refuses(`ff ${"80".repeat(2000)}`);
    refuses(`00 7f ${"ff".repeat(8)}00`);
    refuses("3f ffffffff0f");
  });

  it("tells names and values that no field may have", () => {
    const malformed = [
      "00 01 41 01 31",
      "00 01 20 00",
      "00 00 00",
      "00 02 613a 00",
      "00 01 61 01 00",
      "00 01 61 01 0a",
    ];
    malformed.push("00 01 61 01 0d", "00 01 61 01 01", "00 01 61 01 1f", "00 01 61 01 7f", "00 01 ff 00");
    for (const hex of malformed) {
      assert.equal(decode(decoderOf(), hex).isMalformed, true, hex);
    }
    for (const hex of ["00 01 61 01 ff", "00 01 61 03 612062", "00 01 61 02 2061", "00 01 61 02 6109", "00 01 61 00"]) {
      assert.equal(decode(decoderOf(), hex).isMalformed, false, hex);
    }
  });

  it("tells a malformed field again when a later block refers to it", () => {
    const decoder = decoderOf();
    assert.equal(decode(decoder, "40 01 41 01 31").isMalformed, true);
    assert.equal(decode(decoder, "be").isMalformed, true);
  });

  it("keeps no more fields than it allows, and its table in step", () => {
    const decoder = decoderOf({ maxListBytes: 100 });
    // A value of 100 bytes that 10,000 indexes repeat would be a megabyte.
    const bomb = decode(decoder, `40 01 61 64 ${"62".repeat(100)} ${"be".repeat(10_000)}`);
    assert.deepEqual(bomb, { fields: [], isMalformed: false, isTooLarge: true });
    assert.deepEqual(decode(decoder, "82"), { fields: [":method", "GET"], isMalformed: false, isTooLarge: false });
    assert.equal(decode(decoder, "be").isTooLarge, true);
  });
});
