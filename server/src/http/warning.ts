/** One item of a Warning response header (RFC 7234, section 5.5) with code 299, as kubectl prints it. */
export function warningHeader(message: string): string {
  return `299 - "${message.replaceAll(/[\r\n\0]/g, " ").replaceAll(/["\\]/g, "\\$&")}"`;
}
