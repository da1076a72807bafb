/** The form by which people log in; posted to the address that it is shown at. */
export function loginPage(hasFailed: boolean): string {
  const complaint = hasFailed ? '<p role="alert">There is no such user with this password.</p>' : "";
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Log in</title>
<style>body { font: 1rem system-ui; max-width: 20rem; margin: 4rem auto } label, input, button { display: block; width: 100%; margin: .3rem 0; font: inherit }</style>
<h1>Log in</h1>
${complaint}<form action="" method="post">
<label>Name <input name="name" autocomplete="username" autofocus required></label>
<label>Password <input name="password" type="password" autocomplete="current-password" required></label>
<button>Log in</button>
</form>
</html>
`;
}
