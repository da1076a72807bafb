import type { Stats } from "node:fs";
import { createReadStream } from "node:fs";
import { open, readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { sendAnswer, sendPieces, sendText } from "@gatehouse/apiserver/http";
import type { RequestContext } from "@gatehouse/apiserver/request";
import type { Routes } from "@gatehouse/apiserver/routes";
import { isSystemError } from "@gatehouse/component-base/problems";
import { methodNotAllowed } from "@gatehouse/envelopes/status";

/** The number of bytes by which text is told from other content, as in Go. */
const sniffedBytes = 512;

/** Returns the routes of `/logs`: the files and folders of a directory, as Go's file server shows them. */
export function logFilesRoutes(directory = "/var/log"): Routes {
  return (path) => {
    if (path !== "/logs" && !path.startsWith("/logs/")) {
      return undefined;
    }
    return (context) => {
      if (context.method !== "GET") {
        throw methodNotAllowed();
      }
      const below = path.slice("/logs".length);
      if (below.split("/").includes("..") || below.includes("\0")) {
        return sendText(context, 400, "invalid URL path\n");
      }
      return serve(context, join(directory, below), path);
    };
  };
}

async function serve(context: RequestContext, file: string, path: string): Promise<void> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) {
      return await sendFolder(context, file, path, found);
    }
    return found.isFile() ? await sendFile(context, file, found) : sendText(context, 404, "404 page not found\n");
  } catch (error) {
    if (!isSystemError(error)) {
      throw error;
    }
    const isForbidden = error.code === "EACCES" || error.code === "EPERM";
    sendText(context, isForbidden ? 403 : 404, isForbidden ? "403 Forbidden\n" : "404 page not found\n");
  }
}

async function sendFolder(context: RequestContext, folder: string, path: string, { mtime }: Stats): Promise<void> {
  if (!path.endsWith("/")) {
    return sendAnswer(context, 301, { Location: `${encodeURIComponent(basename(path))}/` }, Buffer.alloc(0));
  }
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  const links = names.map(
    (name) => `<a href="${encodeURI(name).replace(/[?#]/g, encodeURIComponent)}">${escapeHtml(name)}</a>\n`,
  );
  const html = `<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n${links.join("")}</pre>\n`;
  const headers = { "Content-Type": "text/html; charset=utf-8", "Last-Modified": mtime.toUTCString() };
  sendAnswer(context, 200, headers, Buffer.from(html));
}

async function sendFile(context: RequestContext, file: string, { size, mtime }: Stats): Promise<void> {
  const headers = {
    "Content-Type": await contentTypeOf(file),
    "Last-Modified": mtime.toUTCString(),
    "Accept-Ranges": "bytes",
  };
  const range = rangeOf(context.header("range"), size);
  if (range === "unsatisfiable") {
    context.setHeader("Content-Range", `bytes */${size}`);
    return sendText(context, 416, "invalid range: failed to overlap\n");
  }
  if (size === 0) {
    return sendAnswer(context, 200, headers, Buffer.alloc(0));
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  // A file that grows meanwhile is sent as long as it was.
  const pieces = createReadStream(file, { start, end });
  const partial = range === undefined ? {} : { "Content-Range": `bytes ${start}-${end}/${size}` };
  await sendPieces(
    context,
    range === undefined ? 200 : 206,
    { ...headers, ...partial },
    { pieces, byteLength: end - start + 1 },
  );
}

/** Returns the part of a file that a request asks for; undefined for all of it. Several parts are not served. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | "unsatisfiable" | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  const [, first = "", last = ""] = match ?? [];
  if (first === "" && last === "") {
    return undefined;
  }
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  return start > end ? "unsatisfiable" : { start, end };
}

async function contentTypeOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0);
    const isBinary = buffer
      .subarray(0, bytesRead)
      .some((byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 32 && byte !== 27));
    return isBinary ? "application/octet-stream" : "text/plain; charset=utf-8";
  } finally {
    await handle.close();
  }
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&#34;",
  "'": "&#39;",
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}
