"""A session with a relying party that a description names: `rp.yaml`, see docs/your-server.md."""

from __future__ import annotations

import base64
import json
import re
import subprocess
from html.parser import HTMLParser
from typing import Any, Callable, Iterable, Mapping, Protocol
from urllib.parse import urlencode, urlsplit

from .errors import TouchstoneError
from .program import find_program

_NAME = re.compile(r"\{([A-Za-z0-9_-]+)\}")
# The members with bytes; `*` is each item of a list.
_OPTIONS = ["challenge", "user/id", "excludeCredentials/*/id", "allowCredentials/*/id"]
_RESPONSE = ["rawId", *(f"response/{name}" for name in (
    "clientDataJSON", "attestationObject", "authenticatorData", "publicKey", "signature", "userHandle"))]


class Refusal(TouchstoneError):
    """The relying party refused; `code` is its own, or the status."""

    def __init__(self, status: int, code: str) -> None:
        super().__init__(code)
        self.status = status
        self.code = code


class HTTPAnswer(Protocol):
    """An answer, such as that of `requests`."""

    status_code: int
    headers: Mapping[str, str]

    @property
    def text(self) -> str | None: ...


# Sends a request with its title, and returns the answer; raises the `Refusal` that the last argument makes of it.
Exchange = Callable[[str, str, dict[str, str], bytes, str, Callable[[HTTPAnswer], "Refusal | None"]], HTTPAnswer]


class Description:
    """A checked description, with the address and the origin in use.

    `authorities` is a PEM file with authorities that are trusted on https besides those of the system.
    """

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.url: str = document["url"]
        self.origin: str = document["origin"]
        self.authorities: str | None = document.get("certificate-authorities")
        # The accounts of a server that lets no client make one.
        self.existing_accounts: list[dict[str, str]] = document.get("existing-accounts", [])

    @classmethod
    def read(cls, name: str, url: str | None = None) -> Description:
        """A description by its name or file; `url` replaces its address. `touchstone` checks it."""
        command = [str(find_program()), "relying-party", "show", name, *([] if url is None else ["--url", url])]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode != 0:
            raise TouchstoneError(ended.stderr.strip())
        return cls(json.loads(ended.stdout))


class DescribedSession:
    """An account and its cookies; the cookies are the exchange's, and `cookie` reads one."""

    def __init__(
        self, description: Description, account: str, password: str, exchange: Exchange,
        cookie: Callable[[str], str | None], display_name: str | None = None,
    ) -> None:
        self._party = description.document
        self._origin = description.origin
        self._exchange = exchange
        self._cookie = cookie
        self._token: str | None = None
        self._values: dict[str, Any] = {
            "account": account, "named-account": account, "display-name": display_name or account,
            "password": password,
            "user-verification": "required", "resident-key": "required",
        }

    def make_account(self) -> None:
        """Makes the account, where registering does not, or signs in to one that exists."""
        for request in self._party.get("account", []):
            self._send(request)

    def begin(self, name: str) -> dict[str, Any]:
        """The options of the ceremony `registration` or `sign-in`."""
        ceremony = self._party[name]
        text = self._send(ceremony["begin"]).text or ""
        if "element" in ceremony:
            text = _Page(text).text_of(ceremony["element"])
        options = at(_json(text), ceremony.get("options", ""))
        if not isinstance(options, dict) or "challenge" not in options:
            raise TouchstoneError(f"The answer to {ceremony['begin']['path']} has no options; check the key options.")
        for pointer, value in ceremony.get("change", {}).items():
            _change(options, pointer[1:].split("/"), _always(value))
        if (form := self._party.get("bytes", "base64url")) != "base64url":
            for path in _OPTIONS:
                _change(options, path.split("/"), lambda value: _encoded(_bytes(value, form)), only_existing=True)
        return options

    def complete(self, name: str, credential: dict[str, Any]) -> None:
        """Hands over the response of a ceremony."""
        response = json.loads(json.dumps(credential))
        if (form := self._party.get("bytes", "base64url")) != "base64url":
            for path in _RESPONSE:
                _change(response, path.split("/"), lambda value: _written(value, form), only_existing=True)
        self._send(self._party[name]["complete"], {"credential": response, "credential-text": _words(response)})

    def sign_out(self) -> None:
        """Ends the session where the relying party has a request for it; the caller forgets the cookies."""
        try:
            if "sign-out" in self._party:
                self._send(self._party["sign-out"])
        finally:
            self._token = None

    def _send(self, request: dict[str, Any], further: Mapping[str, Any] | None = None) -> HTTPAnswer:
        method = request.get("method") or ("POST" if "body" in request or "form" in request else "GET")
        csrf = self._party.get("csrf", {})
        if "fetch" in csrf and method != "GET" and self._csrf() is None:
            self._ask("GET", {"path": csrf["fetch"], "status": list(range(200, 400))}, {}, b"")
            if self._csrf() is None:
                raise TouchstoneError(f"The answer to {csrf['fetch']} has no CSRF token; check the key csrf.")
        token = self._csrf()
        values = {**self._values, **(further or {}), **({} if token is None else {"csrf": token})}
        headers = {
            name: _words(fill(template, values))
            for name, template in {**self._party.get("headers", {}), **request.get("headers", {})}.items()
        }
        if method != "GET" and token is not None and "send-header" in csrf:
            headers[csrf["send-header"]] = token
        body = b""
        if "body" in request:
            headers["Content-Type"] = "application/json"
            body = json.dumps(fill(request["body"], values)).encode()
        elif "form" in request:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
            fields = {name: _words(value) for name, value in fill(request["form"], values).items()}
            if token is not None and "send-field" in csrf:
                fields[csrf["send-field"]] = token
            body = urlencode(fields).encode()
        return self._ask(method, {**request, "path": _words(fill(request["path"], values))}, headers, body, request["path"])

    def _ask(
        self, method: str, request: dict[str, Any], headers: dict[str, str], body: bytes, title: str | None = None
    ) -> HTTPAnswer:
        # Browsers state the origin of a request that may change something (Fetch §3.2).
        if method != "GET":
            headers = {"Origin": self._origin, **headers}
        answer = self._exchange(
            method, request["path"], headers, body, title or request["path"], lambda answer: self._judge(answer, request))
        csrf, text = self._party.get("csrf", {}), answer.text or ""
        if "answer-header" in csrf:
            self._token = answer.headers.get(csrf["answer-header"], self._token)
        elif "json" in csrf:
            self._token = at(_json(text), csrf["json"]) or self._token
        elif "input" in csrf:
            self._token = _Page(text).value_of(csrf["input"]) or self._token
        for name, pointer in request.get("keep", {}).items():
            self._values[name] = at(_json(text), pointer)
        return answer

    def _csrf(self) -> str | None:
        csrf = self._party.get("csrf", {})
        return self._cookie(csrf["cookie"]) if "cookie" in csrf else self._token

    def _judge(self, answer: HTTPAnswer, request: dict[str, Any]) -> Refusal | None:
        """The refusal that an answer stands for; None for success."""
        statuses = _list(request.get("status", [])) or range(200, 300)
        json_value = _json(answer.text or "")
        location = urlsplit(answer.headers.get("Location", "")).path if answer.headers else ""
        if (
            answer.status_code in statuses
            and all(at(json_value, pointer) == value for pointer, value in request.get("success", {}).items())
            and not any(location.startswith(path) for path in _list(request.get("unless-location", [])))
        ):
            return None
        code = at(json_value, self._party["error"]) if "error" in self._party else None
        return Refusal(answer.status_code, f"http.{answer.status_code}" if code is None else _words(code))


def at(value: Any, pointer: str) -> Any:
    """The value at a JSON Pointer (RFC 6901); None for none."""
    for name in pointer.split("/")[1:]:
        name = name.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(name)
        elif isinstance(value, list) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def fill(template: Any, values: Mapping[str, Any]) -> Any:
    """A template with values in the place of names in braces; a member or an item without a value is left out."""
    filled = _fill(template, values)
    return None if filled is _MISSING else filled


_MISSING = object()


def _fill(template: Any, values: Mapping[str, Any]) -> Any:
    match template:
        case str():
            if (name := _NAME.fullmatch(template)) is not None:
                return values.get(name[1], _MISSING)
            return _NAME.sub(lambda name: _words(values.get(name[1], "")), template)
        case list():
            return [item for entry in template if (item := _fill(entry, values)) is not _MISSING]
        case dict():
            filled = {name: _fill(value, values) for name, value in template.items()}
            return {name: value for name, value in filled.items() if value is not _MISSING}
        case _:
            return template


def _words(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def _always(value: Any) -> Callable[[Any], Any]:
    return lambda _: value


def _change(value: Any, path: list[str], change: Callable[[Any], Any], only_existing: bool = False) -> None:
    """Changes the members at a path in place."""
    name, rest = path[0], path[1:]
    if name == "*":
        for entry in value if isinstance(value, list) else []:
            _change(entry, rest, change, only_existing)
    elif isinstance(value, dict) and (name in value or not only_existing):
        if rest:
            _change(value.setdefault(name, {}), rest, change, only_existing)
        elif not only_existing or value[name] is not None:
            value[name] = change(value.get(name))


def _encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _bytes(value: Any, form: str) -> bytes:
    return bytes(value) if form == "array" else base64.b64decode(value)


def _written(value: str, form: str) -> Any:
    data = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
    return list(data) if form == "array" else base64.b64encode(data).decode()


class _Page(HTMLParser):
    """The texts of a page's elements by ID, and the values of its fields by name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self._open: list[tuple[str, str]] = []
        self._texts: dict[str, str] = {}
        self._fields: dict[str, str] = {}
        self.feed(text)
        self.close()

    def text_of(self, identifier: str) -> str:
        return self._texts.get(identifier, "")

    def value_of(self, name: str) -> str | None:
        return self._fields.get(name)

    def handle_starttag(self, tag: str, attributes: Iterable[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attributes}
        if tag == "input" and "name" in known:
            self._fields.setdefault(known["name"], known.get("value", ""))
        if "id" in known:
            self._open.append((tag, known["id"]))

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1][0] == tag:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        for _, identifier in self._open:
            self._texts[identifier] = self._texts.get(identifier, "") + data
