import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { HtmlLinks } from "./html-links.js";

/** Returns the page that comes of pieces of the given size, with links in brackets. */
async function changed(page: string, pieceBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const links = new HtmlLinks((link) => `[${link}]`);
  const bytes = Buffer.from(page);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    links.write(bytes.subarray(at, Math.min(bytes.length, at + pieceBytes)));
  }
  links.end();
  const pieces: Buffer[] = [];
  for await (const piece of links) {
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces).toString();
}

describe("Links of a page", () => {
  for (const [what, page, expected] of [
    ["in double quotes", '<a href="x">', '<a href="[x]">'],
    ["in single quotes", "<a href='x'>", '<a href="[x]">'],
    ["without quotes", "<a href=x class=y>", '<a href="[x]" class=y>'],
    ["without quotes at the end of a tag", "<a href=x/>", '<a href="[x/]">'],
    ["with spaces around the sign", '<a href = "x" >', '<a href = "[x]" >'],
    ["without a value", "<a href>", "<a href>"],
    ["with an empty value", '<a href="">', '<a href="[]">'],
    ["in capitals", '<IMG SRC="x">', '<IMG SRC="[x]">'],
    ["beyond ASCII", '<a href="/€">€</a>', '<a href="[/€]">€</a>'],
    ["with references", '<a href="?a=b&amp;c=&#39;&#x22;&euro;">', '<a href="[?a=b&amp;c=&#39;&#34;&amp;euro;]">'],
    ["that stand twice", '<a href="x" href="y">', '<a href="[x]" href="y">'],
    ["of another element", '<p href="x">', '<p href="x">'],
    ["in a comment", '<!-- <a href="x"> --><a href="y">', '<!-- <a href="x"> --><a href="[y]">'],
    [
      "in a script",
      '<script src="x">"<a href=y>"</script ><a href=z>',
      '<script src="[x]">"<a href=y>"</script ><a href="[z]">',
    ],
    ["in text", "1 < 2 <a", "1 < 2 <a"],
    ["in a value", '<p title="<a href=x>"><a href="y">', '<p title="<a href=x>"><a href="[y]">'],
    ["in a tag without an end", '<a href="x', '<a href="x'],
    [
      "behind a declaration",
      '<!DOCTYPE html><?x <a href="x"?><a href="y">',
      '<!DOCTYPE html><?x <a href="x"?><a href="[y]">',
    ],
  ] as const) {
    it(`${what} are changed as they are meant, wherever pieces end`, async () => {
      assert.equal(await changed(page), expected);
      for (const size of [1, 2, 3, 5]) {
        assert.equal(await changed(page, size), expected, `in pieces of ${size} bytes`);
      }
    });
  }

  it("stay as they are in a tag that has no end for a long time, which is not kept", async () => {
    const page = `<a title="${"x".repeat(3 * 1024 * 1024)}`;
    assert.equal(await changed(page, 64 * 1024), page);
  });
});
