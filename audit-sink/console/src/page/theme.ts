import { byId } from "./dom.js";
import { readPreference, writePreference } from "./preferences.js";

type Theme = "light" | "dark";

/** Applies the remembered theme, and lets the button switch it. Without a choice the page follows the system. */
export function installTheme(): void {
  const remembered = readPreference("theme");
  if (remembered === "light" || remembered === "dark") {
    document.documentElement.dataset["theme"] = remembered;
  }
  byId("theme").addEventListener("click", () => {
    const theme: Theme = shownTheme() === "dark" ? "light" : "dark";
    document.documentElement.dataset["theme"] = theme;
    writePreference("theme", theme);
  });
}

function shownTheme(): Theme {
  const chosen = document.documentElement.dataset["theme"];
  const isDark = chosen === undefined ? matchMedia("(prefers-color-scheme: dark)").matches : chosen === "dark";
  return isDark ? "dark" : "light";
}
