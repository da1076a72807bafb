import { escapePathBytes, pathBytes } from "@gatehouse/envelopes/go";

/** Returns the path that the URL of a webhook is called at, as v1.29 writes it: with its escapes read, joined, and escaped anew. */
export function webhookPathOf(url: string): string {
  const [, path = ""] = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? [];
  return writtenPath(pathBytes(path));
}

/** Returns the path that a service with this path is called at: a percent sign is one, and no escape. */
export function servicePathOf(path: string): string {
  return writtenPath(Buffer.from(path).toString("latin1"));
}

/** Joins and escapes a path as Go does; each character is a byte. One slash in front, none at the end, none twice. */
function writtenPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") {
      kept.pop();
    } else if (segment !== "" && segment !== ".") {
      kept.push(segment);
    }
  }
  return escapePathBytes(`/${kept.join("/")}`);
}
