import { buttonElement } from "./dom.js";

const answerMs = 2000;

/** Makes a button that copies a text, and says whether it could. */
export function clipboardButton(label: string, text: () => string, className = "quiet"): HTMLButtonElement {
  const button = buttonElement({ class: className }, [label], () => {
    const answer = (message: string): void => {
      button.textContent = message;
      setTimeout(() => {
        button.textContent = label;
      }, answerMs);
    };
    navigator.clipboard.writeText(text()).then(
      () => answer("Copied"),
      () => answer("Cannot copy"),
    );
  });
  return button;
}
