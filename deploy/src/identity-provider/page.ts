import { createHash } from "node:crypto";

/** Colours and type are those of the audit console. */
const style = `
:root { color-scheme: light dark; --accent: light-dark(#0b6b6b, #57c3bb); --line: light-dark(#e0e5ea, #29313a); }
* { box-sizing: border-box; }
body { margin: 0; padding: 12vh 1rem 1rem; background: light-dark(#f5f7f9, #0e1216); color: light-dark(#18202a, #e2e8ee);
  font: 0.875rem/1.45 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { width: min(25rem, 100%); margin: 0 auto; padding: 1.5rem; background: light-dark(#ffffff, #151a20);
  border: 1px solid var(--line); border-top: 3px solid var(--accent); border-radius: 6px; overflow-wrap: anywhere; }
h1 { display: flex; gap: 0.5rem; align-items: center; margin: 0 0 1rem; font-size: 1.125rem; }
svg rect { fill: var(--accent); }
svg path { fill: light-dark(#ffffff, #07191a); }
p { margin: 0 0 1rem; }
p:last-child { margin-bottom: 0; }
form + p { margin-top: 1.25rem; }
label { display: block; margin-bottom: 0.75rem; font-weight: 600; }
input:not([type="hidden"]), button { width: 100%; min-height: 2.25rem; font: inherit; border-radius: 6px; }
input:not([type="hidden"]) { display: block; margin-top: 0.25rem; padding: 0 0.5rem; background: light-dark(#ffffff, #1b222a);
  border: 1px solid light-dark(#7d8994, #6f7c89); color: inherit; }
button { margin-top: 0.25rem; background: var(--accent); border: 1px solid var(--accent);
  color: light-dark(#ffffff, #07191a); font-weight: 600; cursor: pointer; }
button.second { margin-top: 0.5rem; background: none; border-color: light-dark(#7d8994, #6f7c89); color: inherit; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
code { font: 1.25rem ui-monospace, Menlo, Consolas, monospace; }
.muted { color: light-dark(#55616e, #9aa6b2); }
.error { color: light-dark(#bd2c27, #ff857c); }
`;

/**
 * Value of the header Content-Security-Policy for these pages: one style sheet, and nothing else is loaded or run. It says
 * nothing of forms, because browsers apply that to the redirects after them as well, which lead to the client.
 */
export const pagePolicy: string = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Writes a page of the identity provider. `body` is markup: texts in it must have gone through `escapeHtml`. */
export function htmlPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Gatehouse</title>
<style>${style}</style>
</head>
<body>
<main>
<h1><svg viewBox="0 0 16 16" width="22" height="22" aria-hidden="true"><rect width="16" height="16" rx="3.5" /><path d="M4 13V6.5a4 4 0 0 1 8 0V13h-2V6.5a2 2 0 0 0-4 0V13z" /></svg>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`;
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns a text as markup that shows it. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => escapes[character] ?? "");
}
