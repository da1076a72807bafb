import { createSecureServer } from "node:http2";
import { serveOperations } from "../processes/operations.js";
import { bareOperations } from "./bare-operations.js";
import { writeChunks } from "./open-responses.js";

// The limit of what Node's own HTTP/2 server can do with the same bytes, through its core API, which costs less than the
// one that looks like HTTP/1.1's.
serveOperations(
  bareOperations((options, findRoute, open) => {
    const server = createSecureServer({ ...options, allowHTTP1: true });
    // Clients of HTTP/1.1, which only ask whether the server is there.
    server.on("request", (request, response) => {
      const route = findRoute(request.url);
      response.writeHead(route === undefined ? 404 : 200, { ...route?.headers });
      response.end(route?.body ?? "");
    });
    // The listener above has added one for HTTP/2, which costs more than the core API.
    server.removeAllListeners("stream");
    server.on("stream", (stream, headers) => {
      const route = findRoute(headers[":path"] ?? "/");
      if (route === undefined) {
        stream.respond({ ":status": 404 }, { endStream: true });
        return;
      }
      stream.respond({ ":status": 200, ...route.headers });
      if (route.stream === true) {
        stream.on("error", () => {});
        open.add(stream);
      } else if (route.body !== undefined && route.chunkBytes !== undefined) {
        writeChunks(stream, route.body, route.chunkBytes);
      } else {
        stream.end(route.body);
      }
    });
    return server;
  }),
);
