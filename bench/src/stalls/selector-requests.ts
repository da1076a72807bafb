import { constants } from "node:http2";
import { collectionPath } from "../config-maps.js";
import { repeated, type StallRequest } from "./stall-request.js";

/** Selectors as long as the server takes them: a head of 1 MiB over HTTP/1.1, a field of 64 KiB over HTTP/2. */
export const selectorRequests: readonly StallRequest[] = [
  list("60,000 x app!=x", () => `labelSelector=${repeated(60_000, "app!=x,").slice(0, -1)}`),
  list("app in (100,000 values)", () => `labelSelector=app%20in%20(${repeated(100_000, "v#,").slice(0, -1)})`),
  list("app notin (30,000 values)", () => `labelSelector=app%20notin%20(${repeated(30_000, "v#,").slice(0, -1)})`),
  list(
    "150,000 x !a on a watch",
    () => `watch=1&timeoutSeconds=3&labelSelector=${repeated(150_000, "!a,").slice(0, -1)}`,
  ),
  list("50,000 x metadata.name!=x", () => `fieldSelector=${repeated(50_000, "metadata.name!=x,").slice(0, -1)}`),
  {
    name: "selector over HTTP/2: 9,000 x app!=x",
    prepare() {
      const path = `${collectionPath}?labelSelector=${repeated(9000, "app!=x,").slice(0, -1)}`;
      return (target) =>
        new Promise((resolve, reject) => {
          const session = target.connectHttp2({ maxSendHeaderBlockLength: 1024 * 1024 });
          const stream = session.request({ [constants.HTTP2_HEADER_PATH]: path });
          let status = "no answer";
          stream.on("response", (headers) => {
            status = String(headers[":status"]);
          });
          stream.on("error", reject);
          stream.on("close", () => {
            session.destroy();
            resolve(status);
          });
          stream.resume();
        });
    },
  },
];

function list(name: string, makeQuery: () => string): StallRequest {
  return {
    name: `selector: ${name}`,
    prepare() {
      const path = `${collectionPath}?${makeQuery()}`;
      return (target) => target.send({ path });
    },
  };
}
