#!/bin/bash
# Says whether a server of touchstone answers on a port: touchstone-health [PORT]. The default is the port of `touchstone serve`.
set -eu

port=${1:-8080}
exec 3<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /healthz HTTP/1.1\r\nHost: localhost:%s\r\nConnection: close\r\n\r\n' "$port" >&3
read -r -t 5 _ status _ <&3
# The control API answers 401 without its token.
[ "$status" -ge 200 ] && [ "$status" -lt 500 ]
