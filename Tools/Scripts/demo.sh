#!/bin/bash
# Shows the program in one minute: list salons, book, stop the server, and list from the cache.
# Fails if a step fails.
set -euo pipefail
bin="$(cd "$(dirname "$0")/../../bin" && pwd)"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT

coproc server { exec "$bin/novablend" serve --sandbox 2>"$log"; }
server_pid=$server_PID
id=0

# Sends a request and shows it with its reply. Fails unless the reply contains $3.
call() {
    id=$((id + 1))
    local request="{\"jsonrpc\":\"2.0\",\"id\":$id,\"method\":\"$1\",\"params\":$2}" reply
    printf -- '--> %s\n' "$request"
    printf '%s\n' "$request" >&"${server[1]}"
    IFS= read -r -t 20 reply <&"${server[0]}"
    printf '<-- %s\n\n' "$reply"
    [[ "$reply" == *"$3"* ]] || { echo "expected $3" >&2; exit 1; }
}

tomorrow="$(date -u -d tomorrow +%Y-%m-%d)"
booking="{\"salonId\":\"5a100000-0000-4000-8000-000000000001\",\"appointmentTime\":\"${tomorrow}T10:30:00+0000\",\"phone\":\"+49 30 1234567\",\"notes\":\"first visit\"}"

echo "# Online: salons come from the server."
call salons/list '{"limit":2}' '"source":"server"'
echo "# Look for a free time."
call salons/availability "{\"salonId\":\"5a100000-0000-4000-8000-000000000001\",\"start\":\"${tomorrow}T10:00:00Z\",\"end\":\"${tomorrow}T12:00:00Z\"}" '"10:30"'
echo "# Book an appointment."
call appointments/book "$booking" '"appointment":{"id"'
echo "# Now the slot is taken."
call appointments/book "$booking" '"name":"slotUnavailable"'
echo "# List the appointments."
call appointments/list '{}' '"source":"server"'

echo "# The program also lists a menu."
call menu/list '{"limit":1}' '"source":"server"'

backend_pid="$(sed -n 's/.*process \([0-9]*\)$/\1/p' "$log")"
kill "$backend_pid"
# The backend answers the requests that arrive while it stops. In the state Z, the process has
# exited.
for _ in {1..200}; do
    grep -qs '^State:[[:space:]]*[^Z]' "/proc/$backend_pid/status" || break
    sleep 0.05
done
echo "# The server is gone (process $backend_pid was stopped). All lists come from the cache."
call salons/list '{"limit":2}' '"source":"cache"'
call appointments/list '{}' '"source":"cache"'
call menu/list '{"limit":1}' '"source":"cache"'
echo "# Booking requires a connection."
call appointments/book "${booking/10:30/11:30}" '"name":"bookingRequiresConnection"'

input="${server[1]}"
exec {input}>&-
wait "$server_pid"
echo "# At the end of input, serve finished its work and exited with 0."
