import { type ClientHttp2Session, constants } from "node:http2";
import { setTimeout as sleep } from "node:timers/promises";
import { collectionPath } from "../config-maps.js";
import { tableType } from "./list-requests.js";
import type { StallRequest } from "./stall-request.js";

const streams = 100;
const durationMs = 4000;

/** Requests that a client of HTTP/2 can send over one connection. */
export const http2Requests: readonly StallRequest[] = [
  {
    name: `HTTP/2: ${streams} lists as Tables that are never read`,
    prepare: () => async (target) => {
      const session = target.connectHttp2({ settings: { initialWindowSize: 0 } });
      for (let index = 0; index < streams; index++) {
        listAsTable(session);
      }
      await sleep(durationMs);
      session.destroy();
      return `held for ${durationMs / 1000} s`;
    },
  },
  {
    name: "HTTP/2: lists as Tables, reset as soon as they are asked for",
    prepare: () => async (target) => {
      const session = target.connectHttp2({});
      const until = performance.now() + durationMs;
      let count = 0;
      while (performance.now() < until && !session.destroyed) {
        for (let index = 0; index < streams; index++) {
          const stream = listAsTable(session);
          // After the request has left: closed at once it would never be sent.
          setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), 1);
        }
        count += streams;
        await sleep(10);
      }
      const ending = session.destroyed ? ", then the server closed the connection" : "";
      session.destroy();
      return `${count.toLocaleString("en")} resets${ending}`;
    },
  },
];

function listAsTable(session: ClientHttp2Session) {
  const stream = session.request({ [constants.HTTP2_HEADER_PATH]: collectionPath, accept: tableType });
  stream.on("error", () => {});
  stream.resume();
  return stream;
}
