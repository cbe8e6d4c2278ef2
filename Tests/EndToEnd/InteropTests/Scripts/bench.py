"""The common part of the scripts: python-fido2 over UDP, a relying party that verifies everything, and assertions."""

import faulthandler
import json
import os
import socket
import sys

from fido2.attestation import Attestation, InvalidSignature
from fido2.client import DefaultClientDataCollector, Fido2Client, UserInteraction
from fido2.ctap import CtapError
from fido2.ctap2 import Ctap2
from fido2.ctap2.pin import ClientPin, PinProtocolV1, PinProtocolV2
from fido2.hid import CtapHidDevice
from fido2.hid.base import CtapHidConnection, HidDescriptor
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestationObject,
    AuthenticatorAssertionResponse,
    AuthenticationResponse,
    PublicKeyCredentialParameters,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
)

ERR = CtapError.ERR
PROTOCOLS = {1: PinProtocolV1, 2: PinProtocolV2}

# The report by which hosts of UDP simulators take the power away.
POWER_CYCLE = bytes.fromhex(
    "ac1052ca95e569de69e02ebff333485f13f9b2da34c5a8a340526697a9ab2e0b"
    "394d8d04973c134005be1a0140bff6045bb26eb77a73eaa47813f6b49a7250dc"
)

# A device that keeps a script waiting for ever fails it, and shows where it waited.
faulthandler.dump_traceback_later(60, exit=True)

# The input from the Swift side.
requested = json.loads(sys.argv[1])


class UDPConnection(CtapHidConnection):
    """One datagram is one report."""

    def __init__(self, port):
        self.address = ("127.0.0.1", port)
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(120)

    def read_packet(self):
        return self.socket.recv(65)

    def write_packet(self, data):
        self.socket.sendto(data, self.address)

    def close(self):
        self.socket.close()


def connect():
    """A device on a channel and a socket of its own."""
    descriptor = HidDescriptor("udp", 0, 0, 64, 64, "touchstone", None)
    return CtapHidDevice(descriptor, UDPConnection(requested["port"]))


def power_cycle(device):
    """Takes the power away; it is back when the device answers again."""
    device._connection.write_packet(POWER_CYCLE)
    device.ping(b"back?")


def check(condition, *what):
    if not condition:
        raise AssertionError(" ".join(str(part) for part in what))


def equal(actual, expected, what):
    check(actual == expected, f"{what}: expected {expected!r}, not {actual!r}")


def refused(code, call, *arguments, **options):
    """Demands that a CTAP command is refused with exactly this status."""
    try:
        call(*arguments, **options)
    except CtapError as error:
        equal(error.code, code, f"status of {getattr(call, '__name__', 'call')}")
    else:
        raise AssertionError(f"expected {code}, but the command succeeded")


def done(**summary):
    """The summary the Swift side checks; a script that never comes here has failed."""
    print(json.dumps(summary))


class Person(UserInteraction):
    """The person at the browser, who knows a PIN or does not, and lets built-in verification be used or not."""

    def __init__(self, pin=None, uv=True):
        self.pin = pin
        self.uv = uv
        self.asked = []

    def prompt_up(self):
        self.asked.append("touch")

    def request_pin(self, permissions, rp_id):
        self.asked.append("pin")
        return self.pin

    def request_uv(self, permissions, rp_id):
        if self.uv:
            self.asked.append("uv")
        return self.uv


def verify_attestation(attestation_object, client_data_hash):
    """Verifies the statement by its format, whatever the format."""
    verifier = Attestation.for_type(attestation_object.fmt)()
    verifier.verify(attestation_object.att_stmt, attestation_object.auth_data, client_data_hash)


class RelyingParty:
    """A relying party on python-fido2's server, with the browser in front of it."""

    def __init__(self, device, person, rp_id="example.com", algorithm=None):
        self.server = Fido2Server(
            PublicKeyCredentialRpEntity(id=rp_id, name="Example"),
            attestation="direct",
            verify_attestation=verify_attestation,
        )
        if algorithm is not None:
            self.server.allowed_algorithms = [PublicKeyCredentialParameters(type="public-key", alg=algorithm)]
        self.client = Fido2Client(
            device, DefaultClientDataCollector(f"https://{rp_id}"), user_interaction=person
        )

    def register(self, name, rk="discouraged", uv="required", exclude=None):
        """Registers, verified by the server; returns the response and the authenticator data."""
        user = PublicKeyCredentialUserEntity(id=os.urandom(16), name=name, display_name=name.title())
        options, state = self.server.register_begin(
            user, exclude, resident_key_requirement=rk, user_verification=uv
        )
        response = self.client.make_credential(options.public_key)
        data = self.server.register_complete(state, response)
        self.refuse_forged_registration(state, response)
        return response, data

    def sign_in(self, credentials, allow=None, uv="required"):
        """Signs in with each assertion the device offers; returns the responses, all verified by the server."""
        options, state = self.server.authenticate_begin(allow, user_verification=uv)
        selection = self.client.get_assertion(options.public_key)
        responses = [selection.get_response(i) for i in range(len(selection.get_assertions()))]
        for response in responses:
            self.server.authenticate_complete(state, credentials, response)
            self.refuse_forged_sign_in(state, credentials, response)
        return responses

    def refuse_forged_registration(self, state, response):
        """Shows that the verification just passed is one: a changed signature does not pass."""
        original = response.response.attestation_object
        if original.fmt == "none":
            return
        statement = dict(original.att_stmt)
        statement["sig"] = flipped(statement["sig"])
        forged = AttestationObject.create(original.fmt, original.auth_data, statement)
        try:
            verify_attestation(forged, response.response.client_data.hash)
        except InvalidSignature:
            return
        raise AssertionError("a forged attestation signature passed")

    def refuse_forged_sign_in(self, state, credentials, response):
        forged = AuthenticationResponse(
            raw_id=response.raw_id,
            response=AuthenticatorAssertionResponse(
                client_data=response.response.client_data,
                authenticator_data=response.response.authenticator_data,
                signature=flipped(response.response.signature),
                user_handle=response.response.user_handle,
            ),
            authenticator_attachment=response.authenticator_attachment,
            client_extension_results=response.client_extension_results,
            type=response.type,
        )
        try:
            self.server.authenticate_complete(state, credentials, forged)
        except ValueError as error:
            equal(str(error), "Invalid signature.", "why a forged assertion is refused")
            return
        raise AssertionError("a forged assertion signature passed")


def flipped(signature):
    """The signature with its last bit changed, which leaves a DER signature well-formed."""
    return signature[:-1] + bytes([signature[-1] ^ 1])
