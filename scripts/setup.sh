#!/bin/sh
# Finds a Python that is new enough and lets it set up the environment named by the arguments.
# Everything that does not need Python 3.11 to be said is said here.
set -eu

new_enough='import sys; sys.exit(sys.version_info < (3, 11))'
seen=''
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11}; do
    if "$candidate" -c "$new_enough" 2>/dev/null; then
        exec "$candidate" "$(dirname "$0")/environment.py" "$@"
    fi
    version=$("$candidate" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null || true)
    seen="$seen${version:+, $candidate is $version}"
done
seen=${seen#, }
echo "Python 3.11 or newer is missing (${seen:-none found on PATH}): install it with" \
    "\`sudo apt install python3 python3-venv python3-dev\` (Debian, Ubuntu), \`sudo dnf install python3" \
    "python3-devel\` (Fedora) or \`brew install python\` (macOS), or name one with \`make PYTHON=/path/to/python\`." >&2
exit 2
