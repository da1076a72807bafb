import type { Random } from "./random.js";

const path = "/api/v1/namespaces/fuzz-0/configmaps";

/** Bytes that no HTTP library would send. */
const rawRequests: readonly string[] = [
  "",
  "\r\n\r\n",
  "GET\r\n\r\n",
  "GET / HTTP/9.9\r\n\r\n",
  `GET ${path}/\u00e9 HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET ${path}/a b HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET http://elsewhere.example${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET //evil.example${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET ${path}#fragment HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET ${path} HTTP/1.0\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n`,
  `get ${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `FOO ${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n`,
  `OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\nExpect: nothing\r\n\r\n`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}   `,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 4000000\r\n\r\n{}`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nTrailer: x\r\n\r\n`,
  `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: a\u0000b\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept: a\r\n b\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost : x\r\n\r\n`,
  `GET ${path} HTTP/1.1\nHost: x\n\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX: ${"y".repeat(2_000_000)}\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\n${"X: y\r\n".repeat(3000)}\r\n`,
  `GET ${path}/${"x".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\nGET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`,
  "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`,
];

/** Bytes that no HTTP/1.1 library would send, or any at all. */
export function rawHttp1(random: Random): Buffer {
  return random.chance(0.9) ? Buffer.from(random.pick(rawRequests), "latin1") : random.bytes(1 + random.below(200));
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);

/** An HTTP/2 connection whose frames are wrong in length, type, flags, stream or content. */
export function rawHttp2(random: Random): Buffer {
  const frames: Buffer[] = [];
  for (let count = 1 + random.below(6); count > 0; count--) {
    const payload = random.bytes(random.pick([0, 1, 4, 5, 6, 8, 40, 200]));
    const header = Buffer.alloc(9);
    header.writeUIntBE(random.chance(0.8) ? payload.length : random.below(2 ** 24), 0, 3);
    header[3] = random.below(12);
    header[4] = random.pick([0, 1, 4, 5, 8, 0x20, 0xff]);
    header.writeUInt32BE(random.pick([0, 1, 1, 2, 3, 5, 2 ** 31 - 1, 2 ** 32 - 1]), 5);
    frames.push(header, payload);
  }
  return Buffer.concat([random.chance(0.9) ? preface : random.bytes(24), settings, ...frames]);
}
