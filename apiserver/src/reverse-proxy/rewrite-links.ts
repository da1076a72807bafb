import { pipeline, type Readable, type Transform } from "node:stream";
import { createDeflateRaw, createGunzip, createGzip, createInflateRaw } from "node:zlib";
import { GoUrlError } from "@gatehouse/envelopes/errors";
import { type GoUrl, parseGoUrl } from "@gatehouse/envelopes/go";
import { internalError } from "@gatehouse/envelopes/status";
import { authorityOf, type Backend, type BackendAnswer } from "./backend.js";
import { joinPaths } from "./escape-path.js";
import { filterFields, valuesOf, withField } from "./forwarded-fields.js";
import { HtmlLinks } from "./html-links.js";

/** A page's place: at its backend, and here. */
export interface PagePlace {
  readonly backend: Backend;
  /** The path here that stands in front of the paths of the backend. */
  readonly prefix: string;
  /** The Host that the client has asked for. */
  readonly host: string;
}

const corsHeaders: ReadonlySet<string> = new Set([
  "access-control-allow-credentials",
  "access-control-allow-headers",
  "access-control-allow-methods",
  "access-control-allow-origin",
]);

/**
 * Returns a function that changes answers of a backend so that they lead through this server: absolute paths in redirects
 * and in links of HTML get the prefix. CORS headers are removed, since they were meant for another origin.
 */
export function linkRewriter(place: PagePlace): (answer: BackendAnswer) => BackendAnswer {
  return (received) => {
    const fields = filterFields(received.fields, (name) => !corsHeaders.has(name));
    const answer = { ...received, fields };
    const [redirect = ""] = valuesOf(fields, "location");
    if (redirect !== "") {
      return { ...answer, fields: withField(fields, "Location", redirectedHere(redirect, place)) };
    }
    const [type = ""] = valuesOf(fields, "content-type");
    return type.split(";")[0]?.trim() === "text/html" ? withLinksHere(answer, place) : answer;
  };
}

function redirectedHere(redirect: string, place: PagePlace): string {
  const text = Buffer.from(redirect, "latin1").toString();
  const url = parseGoUrl(text);
  if (url instanceof GoUrlError) {
    throw internalError(`error trying to parse Location header: ${url.message}`);
  }
  return Buffer.from(linkHere(text, url, place)).toString("latin1");
}

function withLinksHere(answer: BackendAnswer, place: PagePlace): BackendAnswer {
  const codec = codecOf(valuesOf(answer.fields, "content-encoding")[0] ?? "");
  if (codec === undefined) {
    return answer;
  }
  const links = new HtmlLinks((link) => {
    const url = parseGoUrl(link);
    return url instanceof GoUrlError ? link : linkHere(link, url, place);
  });
  const { content } = answer;
  let hasFailed = false;
  const body = pipeline([content.body, ...codec.decode, links, ...codec.encode] as [Readable, Transform], (error) => {
    hasFailed ||= error != null;
  }) as unknown as Readable;
  return {
    ...answer,
    fields: filterFields(answer.fields, (name) => name !== "content-length"),
    content: {
      body,
      isComplete: () => !hasFailed && content.isComplete(),
      trailers: content.trailers,
      takeWhole: () => undefined,
      destroy: () => body.destroy(),
    },
  };
}

interface Codec {
  readonly decode: readonly Transform[];
  readonly encode: readonly Transform[];
}

/** Returns what unpacks and packs a content encoding again; undefined for one that is unknown. */
function codecOf(encoding: string): Codec | undefined {
  switch (encoding) {
    case "":
      return { decode: [], encode: [] };
    case "gzip":
      return { decode: [createGunzip()], encode: [createGzip()] };
    case "deflate":
      return { decode: [createInflateRaw()], encode: [createDeflateRaw()] };
    default:
      return undefined;
  }
}

/** Returns a link as it leads through this server; links to other servers and relative ones stay. */
function linkHere(text: string, url: GoUrl, { backend, prefix, host }: PagePlace): string {
  const isElsewhere = url.host !== "" && url.host !== authorityOf(backend) && url.host !== host;
  if (isElsewhere || !url.path.startsWith("/")) {
    return text;
  }
  const keepsOrigin = url.host === host && host !== "";
  const origin = keepsOrigin ? text.slice(0, text.indexOf(url.path, text.indexOf("//") + 2)) : "";
  const rest = `${url.query === "" ? "" : `?${url.query}`}${text.includes("#") ? text.slice(text.indexOf("#")) : ""}`;
  const path = url.path.startsWith(prefix) ? url.path : joinPaths(prefix, url.path);
  return `${origin}${path}${rest}`;
}
