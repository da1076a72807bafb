import { escapeHtml, htmlPage } from "./page.js";

/** Writes the form by which people log in; it is posted to the address that it is shown at. */
export function loginPage(hasFailed: boolean, usersFile: string): string {
  const complaint = hasFailed ? '<p class="error" role="alert">There is no such user with this password.</p>\n' : "";
  return htmlPage(
    "Log in",
    `${complaint}<form action="" method="post">
<label>Name <input name="name" autocomplete="username" autofocus required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Log in</button>
</form>
<p class="muted">For development only. Names and passwords are in the file ${escapeHtml(usersFile)}.</p>`,
  );
}
