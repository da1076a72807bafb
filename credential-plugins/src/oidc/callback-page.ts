/** The page that the browser shows at the end of a login. It contains no text of the request. */
export interface CallbackPage {
  readonly status: number;
  readonly html: string;
}

const texts = {
  succeeded: { status: 200, text: "You are logged in. This window can be closed; go on in the terminal." },
  failed: { status: 400, text: "The login has failed. The terminal tells why; this window can be closed." },
  foreign: { status: 400, text: "This is not the answer to the login that is under way." },
  unknown: { status: 404, text: "There is nothing here." },
} as const;

/** The page for an outcome. */
export function callbackPage(outcome: keyof typeof texts): CallbackPage {
  const { status, text } = texts[outcome];
  return {
    status,
    html: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Gatehouse</title><p>${text}</p></html>\n`,
  };
}
