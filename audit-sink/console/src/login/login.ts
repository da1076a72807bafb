import { byId } from "../page/dom.js";
import type { ConsoleSettings } from "../sink/types.js";

const defaultHint =
  "Whoever runs the audit sink has it: the tokens of readers stand in the files that its configuration names under readers.";

/** The form in which readers give their token. */
export class LoginPage {
  readonly #page = byId("login");
  readonly #token = byId<HTMLInputElement>("token");

  /** `onToken` is called with what was entered. */
  constructor(onToken: (token: string) => void) {
    byId("login-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const token = this.#token.value.trim();
      this.#token.value = "";
      onToken(token);
    });
  }

  configure({ tokenHint }: ConsoleSettings): void {
    byId("token-hint").textContent = tokenHint === "" ? defaultHint : tokenHint;
  }

  show(problem: string): void {
    this.#page.hidden = false;
    byId("login-error").textContent = problem;
    this.#token.focus();
  }

  hide(): void {
    this.#page.hidden = true;
  }
}
