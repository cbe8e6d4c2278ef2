"""A small server for the sites of these tests: JSON and pages, with a session in a cookie."""
import http.server
import json
import secrets
import sys
import threading
import urllib.parse


class Refusal(Exception):
    """An answer that refuses: status and text."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Request:
    def __init__(self, method, path, headers, body, session):
        self.method, self.path, self.headers, self.body, self.session = method, path, headers, body, session

    @property
    def json(self):
        return json.loads(self.body or b"{}")

    @property
    def form(self):
        return dict(urllib.parse.parse_qsl(self.body.decode(), strict_parsing=True))


def serve(routes, failed, cookie="session"):
    """Serves until standard input ends; the first line of output is the port.

    routes: (method, path) to a function of a Request; the result is JSON, or (type, text, further fields).
    failed: makes the JSON of an error.
    """
    sessions = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self):
            cookies = dict(part.strip().split("=", 1) for part in self.headers.get("Cookie", "").split(";") if "=" in part)
            name = cookies.get(cookie)
            if name not in sessions:
                name = secrets.token_hex(8)
                sessions[name] = {}
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            request = Request(self.command, self.path, self.headers, body, sessions[name])
            kind, fields, status = "application/json", {}, 200
            try:
                route = routes.get((self.command, self.path))
                if route is None:
                    raise Refusal(404, "no such path")
                result = route(request)
                if isinstance(result, tuple):
                    kind, text, fields = result
                else:
                    text = json.dumps(result)
            except Refusal as refusal:
                status, text = refusal.status, json.dumps(failed(str(refusal)))
            except Exception as error:
                status, text = 400, json.dumps(failed(f"{type(error).__name__}: {error}"))
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Set-Cookie", f"{cookie}={name}; Path=/; HttpOnly; SameSite=Lax")
            for field, value in fields.items():
                self.send_header(field, value)
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
