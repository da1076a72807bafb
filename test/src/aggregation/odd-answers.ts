import assert from "node:assert/strict";

/** An answer as a client gets it; `isWhole` is false if it was broken off. */
export interface Got {
  readonly status: number;
  readonly text: string;
  readonly isWhole: boolean;
}

/** Answers of a server that misbehaves, written to its connection as they are, and what the client gets. */
export const oddAnswers: readonly (readonly [what: string, answer: string, check: (got: Got) => void])[] = [
  [
    "breaks off in the middle of a body of known length",
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf",
    ({ isWhole }) => assert.equal(isWhole, false),
  ],
  [
    "breaks off in the middle of a body in chunks",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ({ isWhole }) => assert.equal(isWhole, false),
  ],
  [
    "sends more than the length that it has told",
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhalfHTTP/1.1 200 OK\r\nX-Smuggled: 1\r\nContent-Length: 0\r\n\r\n",
    ({ status, text }) => assert.deepEqual([status, text], [200, "half"]),
  ],
  [
    "tells two lengths",
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nhalf!",
    ({ status }) => assert.equal(status, 503),
  ],
  [
    "tells a length and chunks",
    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ({ status }) => assert.equal(status, 503),
  ],
  ["sends no HTTP", "220 mail.example.com ESMTP\r\n", ({ status }) => assert.equal(status, 503)],
  ["closes the connection without an answer", "", ({ status }) => assert.equal(status, 503)],
  [
    "sends 100,000 headers",
    `HTTP/1.1 200 OK\r\n${Array.from({ length: 100_000 }, (_, at) => `X-${at}: value\r\n`).join("")}\r\n`,
    ({ status }) => assert.equal(status, 503),
  ],
];
