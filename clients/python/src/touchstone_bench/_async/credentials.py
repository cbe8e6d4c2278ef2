"""The methods of Playwright's `context.credentials`, with a simulated device."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, Any, TypedDict, cast

from .backend import attached
from .device import AsyncDevice
from .transport import AsyncTransport
from ..browser.keys import decoded, encoded, new_private_key, public_key_of
from ..browser.settings import Settings
from ..errors import TouchstoneError

if TYPE_CHECKING:
    from .backend import AsyncAttachment, AsyncContext


class VirtualCredential(TypedDict):
    """A credential as Playwright describes it; keys, IDs and user handle are base64url."""

    id: str
    rpId: str
    userHandle: str
    privateKey: str
    publicKey: str
    signCount: int


class AsyncCredentials:
    """Stands in for Playwright's `context.credentials`: the same methods, answered by a simulated device.

    `device` is that device, whose user the test can let fail; `attachment` exists after `install`.
    """

    def __init__(self, transport: AsyncTransport, context: AsyncContext, path: str, device: AsyncDevice) -> None:
        self._transport = transport
        self._context = context
        self._path = path
        self.device = device
        self.attachment: AsyncAttachment | None = None

    @classmethod
    async def open(cls, transport: AsyncTransport, context: AsyncContext, profile: str) -> AsyncCredentials:
        """Starts the device, as a virtual authenticator of a WebDriver session: these can tell private keys."""
        session = (await transport.request("POST", "/session", {"capabilities": {}}))["value"]["sessionId"]
        path = f"/session/{session}/webauthn/authenticator"
        options = {
            "protocol": "ctap2", "transport": "internal", "isUserVerified": True, "isUserConsenting": True,
            "touchstone:profile": profile,
        }
        name = (await transport.request("POST", path, options))["value"]
        return cls(transport, context, f"{path}/{name}", AsyncDevice(transport, name))

    async def install(self) -> None:
        """The device answers the requests of the context's pages; call it before they load.

        As with Playwright's own, a conditional request gets a passkey or `NotAllowedError` at once.
        """
        if self.attachment is None:
            device = self.device.name
            self.attachment = await attached(
                self._context, self._transport.url, self._transport.token, device, Settings(autofill=True, waits=False))

    async def create(
        self, rp_id: str, *, id: str | None = None, user_handle: str | None = None, private_key: str | None = None,
        public_key: str | None = None, sign_count: int | None = None,
    ) -> VirtualCredential:
        """Gives the device a discoverable credential; missing values are random."""
        if private_key is None and public_key is not None:
            raise TouchstoneError("A public key needs its private key. Give both, or neither.")
        key = new_private_key() if private_key is None else private_key
        if public_key is not None and decoded(public_key) != decoded(public_key_of(key)):
            raise TouchstoneError("The public key does not belong to the private key. Give the pair that belongs together.")
        credential: dict[str, Any] = {
            "credentialId": encoded(secrets.token_bytes(32)) if id is None else id, "isResidentCredential": True,
            "rpId": rp_id, "privateKey": key, "signCount": sign_count or 0,
            "userHandle": encoded(secrets.token_bytes(32)) if user_handle is None else user_handle,
        }
        await self._transport.request("POST", f"{self._path}/credential", credential)
        return (await self.get(id=credential["credentialId"]))[0]

    async def get(self, *, id: str | None = None, rp_id: str | None = None) -> list[VirtualCredential]:
        """The device's credentials, those that pages registered included."""
        listed = (await self._transport.request("GET", f"{self._path}/credentials"))["value"]
        return [
            _credential(entry) for entry in listed
            if id in (None, entry["credentialId"]) and rp_id in (None, entry["rpId"])
        ]

    async def delete(self, id: str) -> None:
        """Removes a credential from the device."""
        await self.device.delete_credential(id)


def _credential(entry: dict[str, Any]) -> VirtualCredential:
    return cast(VirtualCredential, {
        "id": entry["credentialId"], "rpId": entry["rpId"], "userHandle": entry.get("userHandle", ""),
        "privateKey": entry["privateKey"], "publicKey": public_key_of(entry["privateKey"]), "signCount": entry["signCount"],
    })
