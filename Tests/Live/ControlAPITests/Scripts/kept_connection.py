"""A client with one connection for all its ceremonies, as connection pools have it."""

import http.client
import json
import sys

requested = json.loads(sys.argv[1])
connection = http.client.HTTPConnection("127.0.0.1", requested["port"], timeout=600)
connection.connect()
socket = connection.sock


def post(path, body):
    connection.request(
        "POST", path, json.dumps(body),
        {"Authorization": f"Bearer {requested['token']}", "Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    assert connection.sock is socket, f"{path}: the server closed the connection"
    assert response.status == 200, answer
    return answer


for number in range(100):
    options = {
        "rp": {"id": "example.org", "name": "Example"},
        "user": {"id": "AQID", "name": f"user-{number}", "displayName": "User"},
        "challenge": "AAAAAAAAAAAAAAAAAAAAAA",
        "pubKeyCredParams": [{"type": "public-key", "alg": -7}],
    }
    made = post("/v1/devices/phone/ceremonies/create", {"origin": "https://example.org", "options": options})
    assert "credential" in made, made

print(json.dumps({"done": True}))
