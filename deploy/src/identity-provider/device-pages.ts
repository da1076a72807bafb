import type { Configuration } from "oidc-provider";
import { escapeHtml, htmlPage, pagePolicy } from "./page.js";

type DeviceFlow = Exclude<NonNullable<Configuration["features"]>["deviceFlow"], undefined>;
/** The response that the provider lets its pages fill. */
interface PageContext {
  body: unknown;
  type: string;
  set(field: string, value: string): void;
}

/** Pages for those who log in on another device with a code. The provider's own load fonts from another site. */
export const deviceFlow: DeviceFlow = {
  enabled: true,
  userCodeInputSource(context, form, _, error) {
    const hint =
      error === undefined
        ? "<p>Enter the code that your terminal shows.</p>"
        : `<p class="error" role="alert">${inputProblem(error)}</p>`;
    show(context, "Log in by code", `${hint}\n${form}\n<button form="op.deviceInputForm">Continue</button>`);
  },
  userCodeConfirmSource(context, form, client, _, userCode) {
    const asked = `<p><strong>${escapeHtml(client.clientName ?? client.clientId)}</strong> asks to be logged in.</p>`;
    show(
      context,
      "Is this your code?",
      `${asked}
<p><code>${escapeHtml(userCode)}</code></p>
<p class="muted">Continue only if your own terminal shows this code now.</p>
${form}
<button form="op.deviceConfirmForm" autofocus>Continue</button>
<button form="op.deviceConfirmForm" class="second" name="abort" value="yes">Abort</button>`,
    );
  },
  successSource(context) {
    show(context, "You are logged in", "<p>Close this page and go back to your terminal.</p>");
  },
};

/** Shows what went wrong in the provider, as codes and descriptions of OAuth. */
export const renderError: NonNullable<Configuration["renderError"]> = (context, out) => {
  const lines = Object.entries(out).map(
    ([name, value]) => `<p><b>${escapeHtml(name)}</b> ${escapeHtml(String(value))}</p>`,
  );
  show(context, "This did not work", lines.join("\n"));
};

function inputProblem(error: Error): string {
  if ("userCode" in error || error.name === "NoCodeError") {
    return "There is no login with this code. Look at your terminal, and try again.";
  }
  return error.name === "AbortedError" ? "The login was aborted." : "The code could not be looked up.";
}

function show(context: PageContext, title: string, body: string): void {
  context.type = "html";
  context.set("Content-Security-Policy", pagePolicy);
  context.set("Cache-Control", "no-store");
  context.body = htmlPage(title, body);
}
