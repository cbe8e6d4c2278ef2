"""A connection to a control API."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Any, Iterator, Iterable, cast
from urllib.parse import quote

from .. import models
from ..hand_over import HandOver
from ..program import ControlProcess
from .backend import apart
from .credentials import Credentials
from .device import Device, check_plans
from .transport import Transport

if TYPE_CHECKING:
    from typing_extensions import Self

    from .backend import Context


class Control:
    """The control API of a running `touchstone control` or `touchstone serve --control`.

    A context manager: its end closes the connection, and ends the program that `start` started.
    """

    def __init__(self, url: str, token: str, *, process: ControlProcess | None = None) -> None:
        self.url = url
        self.token = token
        self.process = process
        self._transport = Transport(url, token)

    @classmethod
    def start(
        cls, program: str | os.PathLike[str] | None = None, *, trace: str | os.PathLike[str] | None = None,
        allow_origins: Iterable[str] = (),
    ) -> Self:
        """Starts `touchstone control` on a free port; `find_program` says which program."""
        process = apart(partial(ControlProcess, program, trace=trace, allow_origins=tuple(allow_origins)))
        return cls(process.url, process.token, process=process)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if error[0] is not None:
            # That error says more than the acts that were left.
            self._transport.planned.clear()
        self.close()

    def close(self) -> None:
        """Closes the connection, and ends the program that `start` started. Raises `IdleActsError` afterwards, as `check_acts` does."""
        try:
            self.check_acts()
        finally:
            self._transport.close()
            if self.process is not None:
                apart(self.process.stop)

    def check_acts(self) -> None:
        """Raises `IdleActsError` if acts that this client planned on any device had no effect; see `Device.check_acts`."""
        check_plans(self._transport)

    def openapi(self) -> dict[str, Any]:
        """The OpenAPI document of the server."""
        return cast("dict[str, Any]", self._transport.request("GET", "/openapi.json"))

    def profiles(self) -> list[models.ProfileEntry | models.WrongProfile]:
        """The available profiles, and for each wrong profile file its mistake."""
        answer = self._transport.request("GET", "/v1/profiles")
        return cast("list[models.ProfileEntry | models.WrongProfile]", answer)

    def faults(self) -> models.V1FaultsGetResponse:
        """The faults that the act `fault` arms."""
        return cast(models.V1FaultsGetResponse, self._transport.request("GET", "/v1/faults"))

    def page_scripts(self) -> models.V1PageScriptsGetResponse:
        """The scripts whose requests `answer_page` answers, with names that no page can guess."""
        return cast(models.V1PageScriptsGetResponse, self._transport.request("GET", "/v1/page-scripts"))

    # Devices.

    def start_device(
        self, profile: str | models.DeviceStartRequestProfile | HandOver, name: str | None = None, *,
        person: str | None = None, clock: str | None = None, seed: int | None = None,
        samples: models.DeviceStartRequestSamples | None = None,
        connections: models.DeviceStartRequestConnections | None = None, checks_acts: bool = True,
    ) -> Device:
        """Starts a device.

        `profile` is a profile's name, `{"yaml": text}`, or a hand-over, whose device the new one continues. `person` is `auto` or `ask`, `clock` is `real` or
        `simulated`. With `checks_acts` False planned acts may have no effect.
        """
        order = {
            "profile": {"state": profile.state} if isinstance(profile, HandOver) else profile, "name": name,
            "person": person, "clock": clock, "seed": seed, "samples": samples, "connections": connections,
        }
        body = {key: value for key, value in order.items() if value is not None}
        state = cast(models.DeviceState, self._transport.request("POST", "/v1/devices", body))
        return Device(self._transport, state["status"]["name"], checks_acts=checks_acts)

    def credentials(self, context: Context, profile: str = "iphone-face-id") -> Credentials:
        """A replacement of Playwright's `context.credentials`, with a new device of this profile."""
        return Credentials.open(self._transport, context, profile)

    def device(self, name: str) -> Device:
        """A running device, by its name."""
        return Device(self._transport, name)

    def devices(self) -> models.V1DevicesGetResponse:
        """The running devices."""
        return cast(models.V1DevicesGetResponse, self._transport.request("GET", "/v1/devices"))

    # Accounts and snapshots.

    def accounts(self) -> models.V1AccountsGetResponse:
        """The accounts that sync passkeys."""
        return cast(models.V1AccountsGetResponse, self._transport.request("GET", "/v1/accounts"))

    def open_account(self, name: str, devices: Iterable[Device | str], delay: str | None = None) -> None:
        """Opens an account that syncs passkeys between devices of one provider, after a `delay` such as `20 s`."""
        names = [device if isinstance(device, str) else device.name for device in devices]
        body: dict[str, Any] = {"devices": names}
        if delay is not None:
            body["delay"] = delay
        self._transport.request("PUT", f"/v1/accounts/{quote(name, safe='')}", body)

    def close_account(self, name: str) -> None:
        """Closes an account; its devices keep their passkeys."""
        self._transport.request("DELETE", f"/v1/accounts/{quote(name, safe='')}")

    def snapshots(self) -> models.V1SnapshotsGetResponse:
        """The snapshots in the server's memory."""
        return cast(models.V1SnapshotsGetResponse, self._transport.request("GET", "/v1/snapshots"))

    def delete_snapshot(self, name: str) -> None:
        """Deletes a snapshot."""
        self._transport.request("DELETE", f"/v1/snapshots/{quote(name, safe='')}")

    # Events, the panel and the relying party.

    def panel_url(self) -> str:
        """The address of the page with the devices, for one visit within a short time."""
        link = cast(models.V1PanelLinksPostResponse, self._transport.request("POST", "/v1/panel/links"))
        return self.url.rstrip("/") + link["path"]

    def events(self, since: int | None = None, limit: int | None = None) -> models.EventList:
        """The events of all devices after the event `since`."""
        answer = self._transport.request("GET", "/v1/events", query={"since": since, "limit": limit})
        return cast(models.EventList, answer)

    def event_stream(self, since: int | None = None) -> Iterator[models.EventListEvent]:
        """The kept events of all devices, then each new event as it happens."""
        for event in self._transport.stream("/v1/events", since):
            yield event

    def server(self) -> models.Server:
        """The trouble of the relying party of `touchstone serve --control`."""
        return cast(models.Server, self._transport.request("GET", "/v1/server"))

    def change_server(self, change: models.V1ServerPatchRequest) -> models.Server:
        """Slows the relying party down, or lets its next requests fail."""
        return cast(models.Server, self._transport.request("PATCH", "/v1/server", change))

    def service(self, name: str) -> models.Service:
        """A service beside that relying party, such as `bankid` or `gateway`."""
        return cast(models.Service, self._transport.request("GET", f"/v1/services/{quote(name, safe='')}"))

    def change_service(self, name: str, change: models.V1ServicesServicePatchRequest) -> models.Service:
        """Changes a service beside that relying party: outage, latency, faults."""
        path = f"/v1/services/{quote(name, safe='')}"
        return cast(models.Service, self._transport.request("PATCH", path, change))
