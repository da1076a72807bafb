import type { View } from "../address/view.js";
import { byId } from "../page/dom.js";
import { readPreference, writePreference } from "../page/preferences.js";
import { sampleItems } from "./query-menu.js";

/** Shows questions to begin with, until somebody has asked one or sent them away. */
export function installWelcome(onChoose: (view: View) => void): void {
  const welcome = byId("welcome");
  const dismiss = (): void => {
    welcome.hidden = true;
    writePreference("welcome", "seen");
  };
  byId("welcome-questions").append(
    ...sampleItems((view) => {
      dismiss();
      onChoose(view);
    }),
  );
  byId("welcome-close").addEventListener("click", dismiss);
  welcome.hidden = readPreference("welcome") === "seen";
}
