import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RepeatedHeads } from "./repeated-heads.js";
import { readRequestHead } from "./request-head.js";

const fields = "Host: x\r\nUser-Agent: a\r\nAuthorization: Bearer b";

/** Heads, each of which is read behind the one before. */
const heads: readonly string[] = [
  `GET /a HTTP/1.1\r\n${fields}`,
  `GET /b?c=d HTTP/1.1\r\n${fields}`,
  // Another method, version, field or framing.
  `HEAD /b HTTP/1.1\r\n${fields}`,
  `GET /b HTTP/1.0\r\n${fields}`,
  `GET /b HTTP/1.1\r\n${fields}c`,
  `PUT /b HTTP/1.1\r\n${fields}\r\nContent-Length: 7`,
  `PUT /b HTTP/1.1\r\n${fields}\r\nContent-Length: 8`,
  `PUT /c HTTP/1.1\r\n${fields}\r\nContent-Length: 8`,
  `PUT /c HTTP/1.1\r\n${fields}\r\nTransfer-Encoding: chunked`,
  // Targets that are none, or seem to be the end of another line.
  `PUT  HTTP/1.1\r\n${fields}\r\nTransfer-Encoding: chunked`,
  `PUT /d e HTTP/1.1\r\n${fields}\r\nTransfer-Encoding: chunked`,
  `PUT d HTTP/1.1\r\n${fields}\r\nTransfer-Encoding: chunked`,
  `PUT /d\x01 HTTP/1.1\r\n${fields}\r\nTransfer-Encoding: chunked`,
  `PUT /d HTTP/1.1\r\nX: y HTTP/1.1\r\n${fields}\r\nTransfer-Encoding: chunked`,
  `PUT /d HTTP/1.1\r\nX: y\r\n${fields}\r\nTransfer-Encoding: chunked`,
  `PUTS /d HTTP/1.1\r\n${fields}\r\nTransfer-Encoding: chunked`,
  ` HTTP/1.1\r\n${fields}\r\nTransfer-Encoding: chunked`,
  "",
  `GET /${"e".repeat(5000)} HTTP/1.1\r\n${fields}`,
  `GET /f HTTP/1.1\r\n${fields}`,
];

describe("the heads of one connection", () => {
  it("are read as if each were the first, whatever came before", () => {
    for (const first of heads) {
      for (const second of heads) {
        const reader = new RepeatedHeads();
        for (const head of [first, second, second, first]) {
          assert.deepEqual(reader.read(Buffer.from(head, "latin1")), readRequestHead(head), JSON.stringify(head));
        }
      }
    }
  });

  it("share their fields when those are the same", () => {
    const reader = new RepeatedHeads();
    const [first, second] = heads.slice(0, 2).map((head) => reader.read(Buffer.from(head)));
    assert.ok(first !== undefined && "fields" in first && second !== undefined && "fields" in second);
    assert.equal(second.fields, first.fields);
  });
});
