import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Middleware } from "@gatehouse/component-base/https-service";
import type { ConsoleConfig } from "../config/audit-sink-config.js";

/** A file of the console, as it is sent. */
interface ConsoleFile {
  readonly bytes: Buffer;
  readonly type: string;
  readonly etag: string;
  /** Value of the header Link. */
  readonly link?: string;
}

const prefix = "/console/";
const types: ReadonlyMap<string, string> = new Map([
  ["html", "text/html; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["js", "text/javascript; charset=utf-8"],
  ["svg", "image/svg+xml"],
  ["json", "application/json"],
]);

/**
 * Content-Security-Policy of the console: only its own files run or are loaded, and texts never become markup or code,
 * as
 * `require-trusted-types-for` makes the browser enforce.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join("; ");

const headers = {
  "Content-Security-Policy": contentSecurityPolicy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cache-Control": "no-cache",
};

/**
 * Serves the console below `/console/`, and redirects there from `/`. The page holds no event: it asks for events below
 * `/api`, as a reader. `settings.json` tells it how to look. Files are read once.
 */
export async function openConsoleRoutes(config: ConsoleConfig): Promise<Middleware> {
  const files = await readFiles();
  files.set("settings.json", fileOf("settings.json", Buffer.from(JSON.stringify(config))));
  preloadModules(files);
  return (request, response, next) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    if (path !== "/" && path !== "/console" && !path.startsWith(prefix)) {
      next();
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { ...headers, Allow: "GET, HEAD" }).end();
    } else if (!path.startsWith(prefix)) {
      response.writeHead(302, { ...headers, Location: prefix }).end();
    } else {
      sendFile(files.get(path.slice(prefix.length) || "index.html"), request, response);
    }
  };
}

function sendFile(file: ConsoleFile | undefined, request: IncomingMessage, response: ServerResponse): void {
  if (file === undefined) {
    response.writeHead(404, { ...headers, "Content-Type": "text/plain" }).end("404 page not found\n");
    return;
  }
  const { bytes, type, etag, link } = file;
  if (request.headers["if-none-match"] === etag) {
    response.writeHead(304, { ...headers, ETag: etag }).end();
    return;
  }
  response.writeHead(200, {
    ...headers,
    "Content-Type": type,
    "Content-Length": bytes.length,
    ETag: etag,
    ...(link === undefined ? {} : { Link: link }),
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}

/** The files by path. Compiled modules lie apart from files that are served as they are. */
async function readFiles(): Promise<Map<string, ConsoleFile>> {
  const files = new Map<string, ConsoleFile>();
  for (const folder of [
    new URL("../console-page/", import.meta.url),
    new URL("../../console/static/", import.meta.url),
  ]) {
    for (const path of await readdir(folder, { recursive: true })) {
      const name = path.replaceAll("\\", "/");
      if (/(?<!\.d)\.(?:html|css|js|svg)$/.test(name)) {
        files.set(name, fileOf(name, await readFile(new URL(name, folder))));
      }
    }
  }
  return files;
}

function fileOf(name: string, bytes: Buffer): ConsoleFile {
  const type = types.get(name.split(".").at(-1) ?? "") ?? "application/octet-stream";
  return { bytes, type, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 16)}"` };
}

/** Names every module along with the page, so that a browser need not read one to learn of the next. */
function preloadModules(files: Map<string, ConsoleFile>): void {
  const page = files.get("index.html");
  const modules = [...files.keys()].filter((name) => name.endsWith(".js"));
  if (page !== undefined) {
    const link = modules.map((name) => `<${prefix}${name}>; rel=modulepreload`).join(", ");
    files.set("index.html", { ...page, link });
  }
}
