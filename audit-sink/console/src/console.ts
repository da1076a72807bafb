// The console of an audit sink: logs a reader in, then hands the page over to the explorer of events.
import { Explorer } from "./explorer.js";
import { LoginPage } from "./login/login.js";
import { byId } from "./page/dom.js";
import { showBanner } from "./page/problems.js";
import { installTheme } from "./page/theme.js";
import { Api } from "./sink/api.js";
import { ApiError } from "./sink/api-error.js";

const retryMs = 2000;
const unknownToken = "The audit sink does not know this token.";

const api = new Api();
const login = new LoginPage((token) => {
  api.logIn(token);
  void enter();
});
const explorer = new Explorer(api, () => showLogin(api.hasToken ? unknownToken : ""));

function showLogin(problem: string): void {
  api.logOut();
  explorer.stop();
  byId("main").hidden = true;
  byId("logout").hidden = true;
  byId("who").textContent = "";
  byId("status").textContent = "";
  login.show(problem);
}

async function enter(): Promise<void> {
  try {
    byId("who").textContent = await api.whoami();
    byId("logout").hidden = !api.hasToken;
    login.hide();
    byId("main").hidden = false;
    showBanner("");
    explorer.start();
  } catch (error) {
    if (error instanceof ApiError && error.isTransient) {
      byId("main").hidden = false;
      showBanner(`${error.message} Trying again …`, "away");
      setTimeout(() => void enter(), retryMs);
    } else if (error instanceof ApiError && error.code === 401) {
      showLogin(api.hasToken ? unknownToken : "");
    } else {
      showLogin(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Shows which cluster this is. Without an answer the page goes on without a name. */
async function configure(): Promise<void> {
  const settings = await api.settings();
  document.documentElement.dataset["accent"] = settings.accent;
  byId("cluster").textContent = settings.clusterName;
  byId("cluster").hidden = settings.clusterName === "";
  document.title = settings.clusterName === "" ? "Gatehouse audit" : `${settings.clusterName} · Gatehouse audit`;
  login.configure(settings);
}

installTheme();
byId("logout").addEventListener("click", () => {
  api.logOut();
  // No event stays in the page.
  location.reload();
});
configure().catch(() => {});
await enter();
