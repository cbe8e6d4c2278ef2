"""A simulated device of the control API."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from typing import TYPE_CHECKING, Any, AsyncIterator, Iterable, Mapping, cast
from urllib.parse import quote

from .. import models
from ..errors import CeremonyError, IdleActsError, TouchstoneError
from ..browser.settings import Settings
from ..hand_over import HandOver, warn_of_counters
from .backend import attached
from .transport import AsyncTransport

if TYPE_CHECKING:
    from typing_extensions import Self

    from .backend import AsyncAttachment, AsyncContext


class AsyncDevice:
    """A device that runs in `touchstone control`.

    A context manager: the device is switched off at its end. With `checks_acts` False planned acts may have no effect.
    """

    def __init__(self, transport: AsyncTransport, name: str, *, checks_acts: bool = True) -> None:
        self._transport = transport
        self.name = name
        self.checks_acts = checks_acts

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        if error[0] is not None:
            # That error says more than the acts that were left.
            self._transport.planned.pop(self.name, None)
        await self.delete()

    async def _ask(self, method: str, path: str = "", body: Mapping[str, Any] | None = None) -> Any:
        return await self._transport.request(method, f"/v1/devices/{quote(self.name, safe='')}{path}", body)

    async def state(self) -> models.DeviceState:
        """The device's current state: PIN, retries, lockouts, sensors, faults."""
        return cast(models.DeviceState, await self._ask("GET"))

    async def delete(self) -> None:
        """Switches the device off and deletes it. Raises `IdleActsError` afterwards, as `check_acts` does."""
        try:
            await self.check_acts()
        finally:
            await self._ask("DELETE")

    # The user.

    async def plan(self, *acts: str) -> models.Person:
        """Queues acts of the user for the open prompt or the next prompts, such as `no-match x 2` and `cancel`."""
        person = cast(models.Person, await self._ask("POST", "/person/acts", {"acts": acts}))
        self._transport.planned[self.name] = self
        return person

    async def person(self) -> models.Person:
        """The open prompt, the planned acts, and those that a prompt ignored."""
        return cast(models.Person, await self._ask("GET", "/person/acts"))

    async def acts(self) -> list[str]:
        """The words of `plan` that have an effect now.

        These are the acts that answer the open prompt. Without one they are the acts that the device's next prompts can ask for.
        """
        person = await self.person()
        prompt = person.get("openPrompt")
        return person["possible"] if prompt is None else prompt["answers"]

    async def forget_plan(self) -> models.Person:
        """Forgets the planned acts and those that a prompt ignored: `check_acts` then raises nothing for them."""
        person = cast(models.Person, await self._ask("DELETE", "/person/acts"))
        self._transport.planned.pop(self.name, None)
        return person

    async def check_acts(self) -> None:
        """Raises `IdleActsError` if planned acts had no effect: a prompt ignored them, or no prompt asked for them.

        The acts are then forgotten. The end of the device and that of the control API check them, too, and so does the plugin for
        pytest at the end of each test.
        """
        if self._transport.planned.pop(self.name, None) is None or not self.checks_acts:
            return
        person = await self.person()
        if person["planned"] or person["ignored"]:
            await self.forget_plan()
            raise IdleActsError({self.name: person})

    # The device.

    async def act(self, verb: str, **arguments: str | int) -> models.Outcome:
        """Performs an act on the device, such as `act("enrol", template="second face")`.

        An argument's name is written with `_` for `-`. A refusal does not raise: the outcome has `done` False and a cause; an act that
        changes nothing has an explanation instead.
        """
        named = {name.replace("_", "-"): value for name, value in arguments.items()}
        return cast(models.Outcome, await self._ask("POST", "/acts", {"verb": verb, "arguments": named}))

    async def secrets(self) -> list[models.Secret]:
        """The items of apps in secure storage, without their values."""
        return cast("list[models.Secret]", await self._ask("GET", "/secrets"))

    async def clock(self) -> models.Clock:
        """The device's clock."""
        return cast(models.Clock, await self._ask("GET", "/clock"))

    async def advance(self, span: str) -> models.Clock:
        """Advances a simulated clock, for example by `30 s`."""
        return cast(models.Clock, await self._ask("POST", "/clock", {"advance": span}))

    async def set_back(self, span: str) -> models.Clock:
        """The user sets the clock back, for example by `1 h`."""
        return cast(models.Clock, await self._ask("POST", "/clock", {"setBack": span}))

    async def set_pin(self, new: str, current: str | None = None) -> models.Outcome:
        """Sets the client PIN; with `current`, changes it."""
        body = {"newPIN": new} if current is None else {"newPIN": new, "currentPIN": current}
        return cast(models.Outcome, await self._ask("POST", "/pin", body))

    async def reset(self) -> models.Outcome:
        """Erases the device with authenticatorReset."""
        return cast(models.Outcome, await self._ask("POST", "/reset"))

    async def connect(self, action: str, during_command: int | None = None) -> models.DeviceState:
        """Changes the connection: `unplug`, `plug-in`, `tap` or `remove`."""
        body: dict[str, Any] = {"action": action}
        if during_command is not None:
            body["duringCommand"] = during_command
        return cast(models.DeviceState, await self._ask("POST", "/connection", body))

    async def scan(
        self, code: str | None = None, *, picture: bytes | None = None, browser: bool = False
    ) -> models.Outcome:
        """The phone scans a QR code, and answers the computer that shows it; returns when the connection ends.

        `code` is the text FIDO:/…, `picture` the bytes of a PNG file. With `browser` the computer is the browser of `touchstone browser
        --hybrid`. Without an answer the outcome has `done` False and a cause.
        """
        body: dict[str, Any] = {"at": "browser"} if browser else {}
        if code is not None:
            body["code"] = code
        if picture is not None:
            body["picture"] = urlsafe_b64encode(picture).rstrip(b"=").decode()
        return cast(models.Outcome, await self._ask("POST", "/scan", body))

    async def take_snapshot(self, name: str) -> models.Snapshot:
        """Copies the device's state into the server's memory."""
        return cast(models.Snapshot, await self._ask("POST", "/snapshots", {"name": name}))

    async def restore(self, snapshot: str) -> models.DeviceState:
        """Returns the device to a snapshot."""
        return cast(models.DeviceState, await self._ask("POST", "/restore", {"snapshot": snapshot}))

    async def export_state(self) -> str:
        """The device's whole state with its private keys, as text; `start_device({"state": text})` starts a device that continues it."""
        return cast(models.V1DevicesDeviceStateGetResponse, await self._ask("GET", "/state"))["state"]

    async def hand_over(self, context: AsyncContext | None = None) -> HandOver:
        """The device's state, and the cookies and storage of a Playwright context, for devices and contexts of other tests.

        Warns of passkeys that count signatures: each device that starts with the state counts on its own, and a relying party takes the
        second one for a clone.
        """
        counting = [
            credential.get("userName") or credential["credentialId"]
            for credential in await self.credentials() if credential["signCount"] > 0
        ]
        if counting:
            warn_of_counters(self.name, counting)
        profile = (await self.state())["status"]["profile"]
        stored = None if context is None else cast("dict[str, Any]", await context.storage_state())
        return HandOver.made(profile, await self.export_state(), stored)

    # Credentials.

    async def credentials(self) -> list[models.Credential]:
        """The credentials stored on the device, oldest first."""
        return cast("list[models.Credential]", await self._ask("GET", "/credentials"))

    async def credential(self, credential_id: str) -> models.Credential:
        """A credential by its ID in base64url."""
        return cast(models.Credential, await self._ask("GET", f"/credentials/{quote(credential_id, safe='')}"))

    async def change_credential(
        self, credential_id: str, change: models.V1DevicesDeviceCredentialsCredentialIdPatchRequest
    ) -> models.Credential:
        """Sets a credential's backup flags and signature counter."""
        path = f"/credentials/{quote(credential_id, safe='')}"
        return cast(models.Credential, await self._ask("PATCH", path, change))

    async def delete_credential(self, credential_id: str) -> None:
        """Deletes a credential without telling the relying party."""
        await self._ask("DELETE", f"/credentials/{quote(credential_id, safe='')}")

    async def delete_credentials(self) -> None:
        """Deletes all credentials without telling the relying parties."""
        await self._ask("DELETE", "/credentials")

    async def share(
        self, to: AsyncDevice | str, account: str | None = None, relying_party_id: str | None = None
    ) -> models.Outcome:
        """Copies passkeys to another device."""
        body = {"to": _name(to), "account": account, "relyingPartyID": relying_party_id}
        return cast(models.Outcome, await self._ask("POST", "/share", _given(body)))

    async def replace(self, by: AsyncDevice | str) -> models.Outcome:
        """Moves the device's backed-up data to another device and erases this one."""
        return cast(models.Outcome, await self._ask("POST", "/replace", {"by": _name(by)}))

    # The reference app.

    async def install_app(
        self, server_port: int | None = None, *, style: str | None = None, policy: str | None = None
    ) -> models.App:
        """Installs the reference app, or replaces it.

        `server_port` is the port of the app's `touchstone serve`; default: the one in the control API's process.
        """
        body = _given({"serverPort": server_port, "style": style, "policy": policy})
        return cast(models.App, await self._ask("PUT", "/app", body))

    async def app(self) -> models.App:
        """The app as the user sees it."""
        return cast(models.App, await self._ask("GET", "/app"))

    async def remove_app(self) -> None:
        """Removes the app."""
        await self._ask("DELETE", "/app")

    async def open_app(self, *, again: bool = False) -> models.App:
        """The user opens the app; with `again` the system opens it with the last link of a provider once more."""
        return cast(models.App, await self._ask("POST", "/app/open", {"again": again}))

    async def tap(self, button: str, row: str | None = None) -> models.App:
        """The user taps a button of the app's screen, or of the row with this title or number from 1.

        Waits for the user where a prompt follows.
        """
        body = {"button": button} if row is None else {"button": button, "row": row}
        return cast(models.App, await self._ask("POST", "/app/tap", body))

    async def enter(self, field: str, text: str) -> models.App:
        """The user fills in a field of the app's screen."""
        return cast(models.App, await self._ask("POST", "/app/enter", {"field": field, "text": text}))

    async def switch_to(self, app: str) -> models.App:
        """The user switches to another app; `bankid` and `vipps` are the providers' apps."""
        return cast(models.App, await self._ask("POST", "/app/switch", {"app": app}))

    # Ceremonies.

    async def create(
        self, options: Mapping[str, Any], origin: str | Mapping[str, Any], *, top_origin: str | None = None,
        pins: Iterable[str] | None = None, account: int | None = None, mediation: str | None = None,
    ) -> dict[str, Any]:
        """`navigator.credentials.create()` with this device: the RegistrationResponseJSON.

        With `mediation="conditional"` no prompt asks the user, who has to have signed in with a password. Raises `CeremonyError` with the page's error and its reasons.
        """
        return await self._ceremony("create", options, origin, top_origin, pins, account, mediation)

    async def get(
        self, options: Mapping[str, Any], origin: str | Mapping[str, Any], *, top_origin: str | None = None,
        pins: Iterable[str] | None = None, account: int | None = None, credential_id: str | None = None,
    ) -> dict[str, Any]:
        """`navigator.credentials.get()` with this device: the AuthenticationResponseJSON.

        With `credential_id` the device is asked for this passkey only. Raises `CeremonyError` with the page's error and its reasons.
        """
        return await self._ceremony("get", options, origin, top_origin, pins, account, credential_id=credential_id)

    async def sign_in_with_password(self, origin: str | Mapping[str, Any]) -> None:
        """The user signs in to a page with a password that the browser fills in.

        For five minutes the page may have a passkey made without a prompt (conditional create).
        """
        await self._ask("POST", "/password-sign-ins", {"origin": origin})

    async def ceremonies(self) -> models.V1DevicesDeviceCeremoniesGetResponse:
        """The device's ended ceremonies, the latest first."""
        return cast(models.V1DevicesDeviceCeremoniesGetResponse, await self._ask("GET", "/ceremonies"))

    async def conditional(self) -> models.Page:
        """Whether the browser offers conditional mediation, and whether a request waits."""
        return cast(models.Page, await self._ask("GET", "/ceremonies/conditional"))

    async def offer_conditional(self, is_available: bool) -> models.Page:
        """Lets the browser offer conditional mediation, or not."""
        return cast(models.Page, await self._ask("PATCH", "/ceremonies/conditional", {"isAvailable": is_available}))

    async def start_conditional(
        self, options: Mapping[str, Any], origin: str | Mapping[str, Any], *,
        passwords: Mapping[str, str] | None = None,
    ) -> models.Page:
        """`navigator.credentials.get()` with conditional mediation: it waits until `pick`.

        `passwords` are the site's stored passwords by account. Raises `CeremonyError` when the page gets an error at once.
        """
        stored = None if passwords is None else [{"name": name, "password": text} for name, text in passwords.items()]
        body = _given({"options": options, "origin": origin, "passwords": stored})
        page = await self._ask("POST", "/ceremonies/conditional", body)
        if "error" in page:
            raise CeremonyError(page["error"], 0)
        return cast(models.Page, page)

    async def pick(
        self, *, pins: Iterable[str] | None = None, account: int | None = None, password: str | None = None,
    ) -> dict[str, Any]:
        """The user picks a passkey, or the stored password of an account.

        Returns the credential or the password. Raises `CeremonyError` when the user refuses; the request then continues to wait.
        """
        body = _given({"pins": None if pins is None else list(pins), "account": account, "password": password})
        answer = await self._ask("POST", "/ceremonies/conditional/pick", body)
        if "error" in answer:
            raise CeremonyError(answer["error"], answer["elapsedSeconds"], answer.get("faces"))
        return cast("dict[str, Any]", answer.get("credential") or answer["password"])

    async def abort_conditional(self) -> models.Page:
        """The page aborts its conditional request."""
        return cast(models.Page, await self._ask("DELETE", "/ceremonies/conditional"))

    async def browser_requests(self) -> list[models.BrowserRequest]:
        """The conditional requests that a browser keeps for its pages, with the passkeys that the user may pick."""
        return cast("list[models.BrowserRequest]", await self._ask("GET", "/browser-requests"))

    async def add_browser_request(
        self, options: Mapping[str, Any], origin: str | Mapping[str, Any], *, top_origin: str | None = None,
        title: str | None = None,
    ) -> str:
        """Adds a conditional request that a browser keeps, and returns the ID of the passkey that the user picks.

        Waits, without a time limit, until `pick_passkey` or the user of the device panel picks one; the panel shows the `title`.
        Raises `CeremonyError` when the page gets an error at once.
        """
        body = _given({"options": options, "origin": origin, "topOrigin": top_origin, "title": title})
        answer = await self._ask("POST", "/browser-requests", body)
        if "error" in answer:
            raise CeremonyError(answer["error"], 0)
        return cast(str, answer["credentialId"])

    async def pick_passkey(self, request: int, credential_id: str) -> None:
        """The user picks a passkey for the conditional request with this number."""
        await self._ask("POST", f"/browser-requests/{request}/pick", {"credentialId": credential_id})

    async def signal_unknown_credential(self, rp_id: str, credential_id: str) -> None:
        """`PublicKeyCredential.signalUnknownCredential()`."""
        await self._ask("POST", "/signals/unknown-credential", {"rpId": rp_id, "credentialId": credential_id})

    async def signal_all_accepted_credentials(self, rp_id: str, user_id: str, credential_ids: Iterable[str]) -> None:
        """`PublicKeyCredential.signalAllAcceptedCredentials()`."""
        body = {"rpId": rp_id, "userId": user_id, "allAcceptedCredentialIds": list(credential_ids)}
        await self._ask("POST", "/signals/all-accepted-credentials", body)

    async def signal_current_user_details(self, rp_id: str, user_id: str, name: str, display_name: str) -> None:
        """`PublicKeyCredential.signalCurrentUserDetails()`."""
        body = {"rpId": rp_id, "userId": user_id, "name": name, "displayName": display_name}
        await self._ask("POST", "/signals/current-user-details", body)

    async def _ceremony(
        self, kind: str, options: Mapping[str, Any], origin: str | Mapping[str, Any], top_origin: str | None,
        pins: Iterable[str] | None, account: int | None, mediation: str | None = None, credential_id: str | None = None,
    ) -> dict[str, Any]:
        body = _given({
            "options": options, "origin": origin, "topOrigin": top_origin, "mediation": mediation,
            "pins": None if pins is None else list(pins), "account": account, "credentialId": credential_id,
        })
        answer = await self._ask("POST", f"/ceremonies/{kind}", body)
        if "error" in answer:
            raise CeremonyError(answer["error"], answer["elapsedSeconds"], answer.get("faces"))
        return cast("dict[str, Any]", answer["credential"])

    # Browsers.

    async def attach(
        self, context: AsyncContext, *, pins: Iterable[str] | None = None, account: int | None = None,
        autofill: bool = False,
    ) -> AsyncAttachment:
        """Answers the requests for passkeys of a Playwright context (Chromium) with this device; each context has one.

        `pins` are the PINs that the user enters in each ceremony, in order. `account` is the place of the account that
        the user chooses among several. With `autofill` the user picks a suggested passkey as soon as a field offers
        one; otherwise `pick` of the attachment does.
        """
        settings = Settings(None if pins is None else tuple(pins), account, autofill)
        return await attached(context, self._transport.url, self._transport.token, self.name, settings)

    async def answer_page(self, request: Mapping[str, Any]) -> models.PageAnswer:
        """Answers a page's request: the message of `relay.js`, and the browser's statement about its document."""
        return cast(models.PageAnswer, await self._ask("POST", "/page-requests", request))

    async def pick_for_page(
        self, *, session: str | None = None, page: str | None = None, pins: Iterable[str] | None = None,
        account: int | None = None, wait_seconds: int | None = None,
    ) -> None:
        """The user picks a passkey for the newest conditional request of a browser, in up to `wait_seconds`.

        Raises `CeremonyError` when the user refuses; the request then continues to wait.
        """
        body = _given({
            "session": session, "page": page, "pins": None if pins is None else list(pins), "account": account,
            "waitSeconds": wait_seconds,
        })
        answer = await self._ask("POST", "/page-requests/pick", body)
        if "error" in answer:
            raise CeremonyError(answer["error"], answer["elapsedSeconds"], answer.get("faces"))

    # Events.

    async def events(self, since: int | None = None, limit: int | None = None) -> models.EventList:
        """The device's events after the event `since`."""
        path = f"/v1/devices/{quote(self.name, safe='')}/events"
        answer = await self._transport.request("GET", path, query={"since": since, "limit": limit})
        return cast(models.EventList, answer)

    async def event_stream(self, since: int | None = None) -> AsyncIterator[models.EventListEvent]:
        """The kept events, then each new event as it happens, until the device is deleted."""
        async for event in self._transport.stream(f"/v1/devices/{quote(self.name, safe='')}/events", since):
            yield event


async def check_plans(transport: AsyncTransport) -> None:
    """Checks the acts of every device with a plan."""
    acts: dict[str, models.Person] = {}
    for device in list(transport.planned.values()):
        try:
            await device.check_acts()
        except IdleActsError as error:
            acts.update(error.acts)
        except TouchstoneError:
            continue  # The device is gone, and its plan with it.
    if acts:
        raise IdleActsError(acts)


def _name(device: AsyncDevice | str) -> str:
    return device if isinstance(device, str) else device.name


def _given(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if value is not None}
