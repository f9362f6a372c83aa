#!/usr/bin/env bash
# Makes sure that what the build and the tests need is there: cargo, gfortran, gcc, g++, make, python3.
# Installs what is missing with the system's package manager where that needs no password, else says
# what to write. Never asks anything.
set -euo pipefail

have() { command -v "$1" >/dev/null 2>&1; }

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif have sudo && sudo -n true 2>/dev/null; then
    sudo -n "$@"
  else
    return 1
  fi
}

missing=()
for program in gfortran gcc g++ python3; do
  have "$program" || missing+=("$program")
done
# The tests fetch real packages with a client that lives in a virtual environment.
if have python3 && ! python3 -c 'import ensurepip, venv' 2>/dev/null; then
  missing+=(python3-venv)
fi

if [ ${#missing[@]} -gt 0 ]; then
  if have apt-get; then
    command=(apt-get install -y --no-install-recommends "${missing[@]}" libc6-dev)
    prepare=(apt-get update)
  elif have dnf; then
    missing=("${missing[@]/#gfortran/gcc-gfortran}")
    command=(dnf install -y "${missing[@]/#g++/gcc-c++}")
    prepare=(true)
  elif have brew; then
    # gcc brings gfortran and g++.
    command=(brew install gcc python3)
    prepare=(true)
  else
    echo "setup: please install ${missing[*]}" >&2
    exit 1
  fi
  if have brew && ! have apt-get && ! have dnf; then
    "${command[@]}"
  elif ! { as_root "${prepare[@]}" && as_root env DEBIAN_FRONTEND=noninteractive "${command[@]}"; } >&2; then
    echo "setup: ${missing[*]} missing, and no right to install. Please run:" >&2
    echo "  sudo ${command[*]}" >&2
    exit 1
  fi
fi

if ! have cargo && [ -x "$HOME/.cargo/bin/cargo" ]; then
  echo "setup: cargo is in ~/.cargo/bin but not on the PATH. Please run:" >&2
  echo "  . \"\$HOME/.cargo/env\"" >&2
  exit 1
fi
if ! have cargo; then
  echo "setup: Rust is missing. Please install the stable toolchain with rustup." >&2
  exit 1
fi
wanted=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
found=$(cargo --version | sed 's/^cargo \([0-9.]*\).*/\1/')
if [ "$(printf '%s\n%s\n' "$wanted" "$found" | sort -V | head -n 1)" != "$wanted" ]; then
  echo "setup: Rust $wanted or newer is needed, $found is there. Please run: rustup update stable" >&2
  exit 1
fi
