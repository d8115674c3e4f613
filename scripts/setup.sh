#!/bin/sh
# Finds a Python that is new enough and lets it set up the environment named by the first argument.
# Everything that has to be said without Python 3.11 is said here.
set -eu

target=$1
seen=''
if [ -n "${PYTHON:-}" ]; then
    set -- "$PYTHON"
else
    set -- python3 python3.14 python3.13 python3.12 python3.11
fi
for candidate; do
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        exec "$candidate" "$(dirname "$0")/environment.py" "$target"
    fi
    version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
    seen="$seen${version:+, $candidate is $version}"
done
seen=${seen#, }
echo "Python 3.11 or newer is missing (${seen:-none found on PATH}): install it with \`sudo apt install python3" \
    "python3-venv python3-dev\` (Debian, Ubuntu), \`sudo dnf install python3 python3-devel\` (Fedora) or" \
    "\`brew install python\` (macOS), or name one with \`make PYTHON=/path/to/python\`." >&2
exit 2
