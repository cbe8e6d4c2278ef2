"""Schemathesis against a running server: every check, positive and negative data, the same in every run."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

requested = json.loads(sys.argv[1])
base = f"http://127.0.0.1:{requested['port']}"
authorization = f"Bearer {requested['token']}"


def api(path, body):
    request = urllib.request.Request(
        base + path, data=json.dumps(body).encode(), method="POST",
        headers={"Authorization": authorization, "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.loads(response.read())["value"]


session = api("/session", {"capabilities": {}})["sessionId"]
authenticator = api(
    f"/session/{session}/webauthn/authenticator",
    {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True},
)

# 422 is how the API says that a request is well formed and means nothing: a fault, a profile or an origin there is not.
configuration = f"""
continue-on-failure = true
[headers]
Authorization = "{authorization}"
[parameters]
"path.device" = "phone"
"path.session" = "{session}"
"path.authenticator" = "{authenticator}"
[checks]
positive_data_acceptance.expected-statuses = ["2xx", "401", "403", "404", "409", "422"]
negative_data_rejection.expected-statuses = ["4xx"]
# Requests that would end the others' device or session name a missing one.
[[operations]]
include-operation-id = "deleteDevice"
parameters = {{ "path.device" = "missing" }}
[[operations]]
include-operation-id = "webDriverDeleteSession"
parameters = {{ "path.session" = "missing" }}
[[operations]]
include-operation-id = "webDriverRemoveVirtualAuthenticator"
parameters = {{ "path.authenticator" = "missing" }}
# WebDriver has status 500 for capabilities and extensions there are not, and 400 for credentials there are not.
[[operations]]
include-tag = "webdriver"
checks.not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "500"]
checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "403", "404", "500"]
"""

# A person who waits to be told would let a ceremony wait for ever, as no request here tells them; no page makes a request.
hooks = """
import schemathesis

@schemathesis.hook
def map_body(context, body):
    if isinstance(body, dict) and body.get("person") == "ask":
        body = {**body, "person": "auto"}
    return body

@schemathesis.hook
def before_call(context, case, kwargs):
    body = case.body
    if isinstance(body, dict) and type(body.get("waitSeconds")) is int and 0 < body["waitSeconds"] <= 600:
        case.body = {**body, "waitSeconds": 0}
"""

with tempfile.TemporaryDirectory() as directory:
    place = pathlib.Path(directory)
    (place / "schemathesis.toml").write_text(configuration)
    (place / "hooks.py").write_text(hooks)
    command = [
        sys.executable, "-c", "from schemathesis.cli import schemathesis; schemathesis()",
        "--config-file", str(place / "schemathesis.toml"), "run", f"{base}/openapi.json", "--checks", "all",
        "--phases", "examples,coverage,fuzzing,stateful", "--seed", "1", "--generation-deterministic",
        "--max-examples", requested.get("examples", "4"), "--mode", "all", "--request-timeout", "10", "--no-color",
    ]
    done = subprocess.run(
        command, cwd=directory, capture_output=True, text=True,
        env={**os.environ, "SCHEMATHESIS_HOOKS": "hooks", "PYTHONPATH": directory},
    )
    if done.returncode != 0:
        sys.stderr.write(done.stdout[-60000:] + done.stderr[-4000:])
        sys.exit(1)

tested = re.search(r"Tested:\s*(\d+)", done.stdout)
cases = re.search(r"(\d+) generated", done.stdout)
print(json.dumps({"cases": int(cases.group(1)), "operations": int(tested.group(1))}))
