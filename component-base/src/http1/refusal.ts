import { STATUS_CODES } from "node:http";

/** An answer to what is no request that can be served, after which the connection is closed. */
export interface Refusal {
  readonly status: number;
  readonly text: string;
}

/** Returns a refusal in the words of Go's server, with a detail behind the status. */
export function refusal(status: number, detail = ""): Refusal {
  const line = `${status} ${STATUS_CODES[status]}`;
  return { status, text: detail === "" ? line : `${line}: ${detail}` };
}

export const badRequest: Refusal = refusal(400);
export const headTooLarge: Refusal = refusal(431);
export const expectationFailed: Refusal = { status: 417, text: "" };
export const unsupportedEncoding: Refusal = { status: 501, text: "Unsupported transfer encoding" };

/** Returns a refusal as it is sent. One without a text is a whole answer, as Go's server gives. */
export function refusalBytes({ status, text }: Refusal): Buffer {
  const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`;
  const fields =
    text === ""
      ? `Connection: close\r\nDate: ${new Date().toUTCString()}\r\nContent-Length: 0`
      : "Content-Type: text/plain; charset=utf-8\r\nConnection: close";
  return Buffer.from(`${line}\r\n${fields}\r\n\r\n${text}`, "latin1");
}
