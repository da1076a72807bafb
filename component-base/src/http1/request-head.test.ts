import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type RequestHead, readRequestHead } from "./request-head.js";

const read = (...lines: string[]): RequestHead => {
  const head = readRequestHead(lines.join("\r\n"));
  assert.ok(!("status" in head), JSON.stringify(head));
  return head;
};

const refused = (...lines: string[]): string => {
  const head = readRequestHead(lines.join("\r\n"));
  assert.ok("status" in head, JSON.stringify(head));
  return `${head.status} ${head.text}`;
};

describe("the head of a request", () => {
  it("has its line, and its fields as they were sent, without the blanks around values", () => {
    const head = read("GET /a?b=c HTTP/1.1", "Host: x", "ACCEPT:\t a, b \t", "x-empty:", "X-Byte: \xe4");
    assert.deepEqual(head, {
      method: "GET",
      target: "/a?b=c",
      minorVersion: 1,
      fields: ["Host", "x", "ACCEPT", "a, b", "x-empty", "", "X-Byte", "\xe4"],
      bodyLength: 0,
      isPersistent: true,
      expectsContinue: false,
      asksForUpgrade: false,
    });
  });

  it("may have values that go on in further lines", () => {
    assert.deepEqual(read("GET / HTTP/1.1", "Host: x", "Accept: a,", "\t b", "  c").fields.slice(2), [
      "Accept",
      "a, b c",
    ]);
  });

  it("tells how long the body is", () => {
    const length = (...fields: string[]) => read("POST / HTTP/1.1", "Host: x", ...fields).bodyLength;
    assert.equal(length(), 0);
    assert.equal(length("Content-Length: 12"), 12);
    assert.equal(length("Content-Length: 12", "content-length: 12"), 12);
    assert.equal(length("Transfer-Encoding: Chunked"), undefined);
  });

  it("tells whether the client wants the connection for more", () => {
    const isPersistent = (version: string, ...fields: string[]) =>
      read(`GET / HTTP/${version}`, "Host: x", ...fields).isPersistent;
    assert.equal(isPersistent("1.1"), true);
    assert.equal(isPersistent("1.1", "Connection: keep-alive, Close"), false);
    assert.equal(isPersistent("1.1", "Connection: a", "Connection: close"), false);
    assert.equal(isPersistent("1.0"), false);
    assert.equal(isPersistent("1.0", "Connection: Keep-Alive"), true);
  });

  it("tells whether the client waits, or asks for another protocol", () => {
    const head = (...lines: string[]) => read("POST / HTTP/1.1", "Host: x", ...lines);
    assert.equal(head("Expect: 100-Continue", "Content-Length: 1").expectsContinue, true);
    assert.equal(head("Expect: x, 100-continue y", "Content-Length: 1").expectsContinue, true);
    assert.equal(head("Expect: 100-continue").expectsContinue, false, "there is no body to wait with");
    assert.equal(head("Connection: Upgrade", "Upgrade: websocket").asksForUpgrade, true);
    assert.equal(head("Upgrade: websocket").asksForUpgrade, false);
    assert.equal(head("Connection: upgrade").asksForUpgrade, false);
  });

  for (const [what, answer, ...lines] of [
    ["no version", "400 400 Bad Request", "GET /"],
    ["two spaces", "400 400 Bad Request", "GET  / HTTP/1.1"],
    ["something behind its version", "400 400 Bad Request", "GET / HTTP/1.1 x"],
    ["a method that is no token", "400 400 Bad Request", "G{T / HTTP/1.1"],
    ["a target that is no path", "400 400 Bad Request", "GET a HTTP/1.1", "Host: x"],
    ["a control character in the target", "400 400 Bad Request", "GET /\x01 HTTP/1.1", "Host: x"],
    ["a version of the future", "505 505 HTTP Version Not Supported: unsupported protocol version", "GET / HTTP/2.0"],
    ["lines that end in LF alone", "400 400 Bad Request", "GET / HTTP/1.1\nHost: x\nA: b"],
    ["a field that ends in LF alone", "400 400 Bad Request", "GET / HTTP/1.1", "Host: x\nA: b"],
    ["no Host", "400 400 Bad Request: missing required Host header", "GET / HTTP/1.1"],
    ["two Hosts", "400 400 Bad Request", "GET / HTTP/1.1", "Host: x", "Host: x"],
    ["a Host with a slash", "400 400 Bad Request: malformed Host header", "GET / HTTP/1.1", "Host: a/b"],
    ["a field without a colon", "400 400 Bad Request", "GET / HTTP/1.1", "Host"],
    ["a field without a name", "400 400 Bad Request", "GET / HTTP/1.1", "Host: x", ": a"],
    ["a blank before the first field", "400 400 Bad Request", "GET / HTTP/1.1", " Host: x"],
    ["a space in a name", "400 400 Bad Request: invalid header name", "GET / HTTP/1.1", "Host: x", "A b: c"],
    ["a space behind a name", "400 400 Bad Request: invalid header name", "GET / HTTP/1.1", "Host: x", "A : c"],
    ["a brace in a name", "400 400 Bad Request", "GET / HTTP/1.1", "Host: x", "A{: c"],
    ["a control character in a value", "400 400 Bad Request", "GET / HTTP/1.1", "Host: x", "A: b\x01"],
    ["a carriage return in a value", "400 400 Bad Request", "GET / HTTP/1.1", "Host: x", "A: b\rC: d"],
    ["two lengths", "400 400 Bad Request", "PUT / HTTP/1.1", "Host: x", "Content-Length: 1", "Content-Length: 2"],
    ["two lengths in one field", "400 400 Bad Request", "PUT / HTTP/1.1", "Host: x", "Content-Length: 1, 1"],
    ["a length with a sign", "400 400 Bad Request", "PUT / HTTP/1.1", "Host: x", "Content-Length: +1"],
    ["an empty length", "400 400 Bad Request", "PUT / HTTP/1.1", "Host: x", "Content-Length:"],
    ["a length beside chunks", "400 400 Bad Request", "PUT / HTTP/1.1", "Host: x", "Content-Length: 1", chunked()],
    ["chunks in HTTP/1.0", "400 400 Bad Request", "PUT / HTTP/1.0", chunked()],
    ["another encoding", "501 Unsupported transfer encoding", "PUT / HTTP/1.1", "Host: x", chunked("gzip, chunked")],
    ["two encodings", "501 Unsupported transfer encoding", "PUT / HTTP/1.1", "Host: x", chunked(), chunked()],
    [
      "more than 2,000 fields",
      "431 431 Request Header Fields Too Large",
      "GET / HTTP/1.1",
      ...Array.from({ length: 2001 }, () => "a:"),
    ],
    [
      "an encoding before a length",
      "501 Unsupported transfer encoding",
      "PUT / HTTP/1.1",
      "Content-Length: x",
      chunked("gzip"),
    ],
    ["an encoding before a version", "501 Unsupported transfer encoding", "PUT / HTTP/3.0", "Host: x", chunked("gzip")],
    ["a length before a version", "400 400 Bad Request", "PUT / HTTP/3.0", "Host: x", "Content-Length: x"],
    ["a length before a Host", "400 400 Bad Request", "PUT / HTTP/1.1", "Host: a b", "Content-Length: x"],
    [
      "a version before a Host",
      "505 505 HTTP Version Not Supported: unsupported protocol version",
      "PUT / HTTP/2.0",
      "Host: a b",
      chunked(),
    ],
    ["a Host before a name", "400 400 Bad Request: malformed Host header", "GET / HTTP/1.1", "A : b", "Host: a b"],
    [
      "a length of more than 63 bits",
      "400 400 Bad Request",
      "PUT / HTTP/1.1",
      "Host: x",
      `Content-Length: ${2n ** 63n}`,
    ],
    [
      "a length behind the body",
      "400 400 Bad Request",
      "PUT / HTTP/1.1",
      "Host: x",
      chunked(),
      "Trailer: a, Content-Length",
    ],
    ["a star before more", "400 400 Bad Request", "GET *x HTTP/1.1", "Host: x"],
    ["an authority that is none", "400 400 Bad Request", "GET http://a:b/ HTTP/1.1", "Host: x"],
    ["another expectation", "417 ", "PUT / HTTP/1.1", "Host: x", "Expect: 200-ok", "Content-Length: 1"],
  ] as readonly (readonly [what: string, answer: string, ...lines: string[]])[]) {
    it(`is refused with ${what}`, () => assert.equal(refused(...lines), answer));
  }
});

function chunked(value = "chunked"): string {
  return `Transfer-Encoding: ${value}`;
}

test("what is remembered of a large head does not keep all of it in memory", () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 200; n++) {
    const head = `GET / HTTP/1.1\r\nHost: x\r\nX-A-Name-That-Is-New-${n}: a\r\nX-Long: ${"b".repeat(500_000)}`;
    // As it comes from a socket: one text of its own.
    readRequestHead(Buffer.from(head).toString("latin1"));
  }
  collectGarbage();
  const kept = process.memoryUsage().heapUsed - before;
  assert.ok(kept < 25_000_000, `${kept} bytes of 100,000,000 are kept`);
});
