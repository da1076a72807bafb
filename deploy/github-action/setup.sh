#!/bin/sh
# The work of action.yml. Reads RELEASE_URL, SUMS_SHA256, START and FLAGS, and what GitHub gives each step.
set -eu

fail() {
  echo "::error::$1"
  exit 1
}

case "$(uname -s)" in
Linux) system=linux ;;
Darwin) system=darwin ;;
*) fail "there is no executable for $(uname -s)" ;;
esac
case "$(uname -m)" in
x86_64 | amd64) machine=amd64 ;;
aarch64 | arm64) machine=arm64 ;;
*) fail "there is no executable for $(uname -m)" ;;
esac

digest() {
  if command -v sha256sum >/dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1
}

fetch() {
  curl --fail --silent --show-error --location --max-time 300 --retry 3 --output "$2" "$RELEASE_URL/$1" ||
    fail "$RELEASE_URL/$1 cannot be fetched"
}

archive="envtest-v1.29.0-$system-$machine.tar.gz"
home="$RUNNER_TEMP/gatehouse"
assets="$home/envtest"
mkdir -p "$assets" "$home/bin"

fetch SHA256SUMS "$home/SHA256SUMS"
if [ -n "$SUMS_SHA256" ] && [ "$(digest "$home/SHA256SUMS")" != "$SUMS_SHA256" ]; then
  fail "SHA256SUMS of $RELEASE_URL is not the one that sums-sha256 names"
fi
expected=$(awk -v name="$archive" '$2 == name { print $1 }' "$home/SHA256SUMS")
[ -n "$expected" ] || fail "SHA256SUMS of $RELEASE_URL does not name $archive"
fetch "$archive" "$home/$archive"
[ "$(digest "$home/$archive")" = "$expected" ] || fail "$archive is not the file that SHA256SUMS names"
tar -xzf "$home/$archive" --strip-components=2 -C "$assets"
rm "$home/$archive"
ln -sf "$assets/gatehouse" "$home/bin/gatehouse"

echo "$home/bin" >>"$GITHUB_PATH"
echo "KUBEBUILDER_ASSETS=$assets" >>"$GITHUB_ENV"
echo "assets=$assets" >>"$GITHUB_OUTPUT"

if [ "$START" = true ]; then
  data="$home/control-plane"
  # The flags are words: none of them holds a space.
  # shellcheck disable=SC2086
  "$assets/gatehouse" up --data-dir="$data" --port=0 $FLAGS >"$home/control-plane.log" 2>&1 &
  waited=0
  until [ -s "$data/kubeconfig" ]; do
    if ! kill -0 $! 2>/dev/null || [ "$waited" -ge 120 ]; then
      cat "$home/control-plane.log"
      fail "the control plane has not started"
    fi
    sleep 1
    waited=$((waited + 1))
  done
  echo "KUBECONFIG=$data/kubeconfig" >>"$GITHUB_ENV"
fi
