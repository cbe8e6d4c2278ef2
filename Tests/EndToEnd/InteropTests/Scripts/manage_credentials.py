"""Discoverable credentials, counted, listed, renamed and deleted over authenticatorCredentialManagement."""

import os

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from fido2.cose import CoseKey
from fido2.ctap2.credman import CredentialManagement
from fido2.utils import sha256

from bench import (
    ERR, PROTOCOLS, ClientPin, Ctap2, Person, RelyingParty, check, connect, done, equal, power_cycle, refused, requested,
)

P = ClientPin.PERMISSION
R = CredentialManagement.RESULT
device = connect()
ctap = Ctap2(device)
protocol = PROTOCOLS[requested["protocol"]]()
pin = ClientPin(ctap, protocol)
pin.set_pin("1234")


def manager(permission=P.CREDENTIAL_MGMT, rp_id=None):
    return CredentialManagement(ctap, protocol, pin.get_pin_token("1234", permission, rp_id))


def revealed(member, token):
    """The value that getInfo hides from all but the holder of the persistent token."""
    hidden = getattr(ctap.get_info(), member[0])
    key = HKDF(SHA256(), 16, b"\x00" * 32, member[1]).derive(token)
    decryptor = Cipher(algorithms.AES(key), modes.CBC(hidden[:16])).decryptor()
    return decryptor.update(hidden[16:]) + decryptor.finalize()


STORE_STATE = ("enc_cred_store_state", b"encCredStoreState")
IDENTIFIER = ("enc_identifier", b"encIdentifier")

# Nothing there yet.
equal(manager().enumerate_rps(), [], "relying parties of a new device")
refused(ERR.NO_CREDENTIALS, manager().enumerate_creds_begin, sha256(b"example.com"))
capacity = manager().get_metadata()[R.MAX_REMAINING_COUNT]
equal(capacity, requested["capacity"], "capacity")

credentials = {}
for rp_id, names in {"example.com": ["alice", "bob"], "example.net": ["carol"]}.items():
    relying_party = RelyingParty(device, Person(pin="1234", uv=False), rp_id=rp_id)
    for name in names:
        credentials[name] = relying_party.register(name, rk="required")[1].credential_data
# One that is not discoverable counts for nothing.
RelyingParty(device, Person(pin="1234", uv=False)).register("dave")

credman = manager()
metadata = credman.get_metadata()
equal(metadata[R.EXISTING_CRED_COUNT], 3, "existing credentials")
equal(metadata[R.MAX_REMAINING_COUNT], capacity - 3, "remaining credentials")
found = {rp[R.RP]["id"]: rp[R.RP_ID_HASH] for rp in credman.enumerate_rps()}
equal(found, {rp_id: sha256(rp_id.encode()) for rp_id in ("example.com", "example.net")}, "relying parties")
listed = {}
for rp_id, rp_id_hash in found.items():
    for entry in credman.enumerate_creds(rp_id_hash):
        listed[entry[R.USER]["name"]] = entry
        equal(entry[R.CRED_PROTECT], 1, "credProtect")
equal(set(listed), set(credentials), "accounts")
for name, credential in credentials.items():
    equal(listed[name][R.CREDENTIAL_ID]["id"], credential.credential_id, f"the ID of {name}'s credential")
    equal(CoseKey.parse(listed[name][R.PUBLIC_KEY]), credential.public_key, f"the key of {name}'s credential")
refused(ERR.NOT_ALLOWED, credman.enumerate_rps_next)
refused(ERR.NOT_ALLOWED, credman.enumerate_creds_next)

# A token that is bound to a relying party stays there.
bound = manager(rp_id="example.net")
refused(ERR.PIN_AUTH_INVALID, bound.get_metadata)
refused(ERR.PIN_AUTH_INVALID, bound.enumerate_rps_begin)
refused(ERR.PIN_AUTH_INVALID, bound.enumerate_creds, found["example.com"])
refused(ERR.PIN_AUTH_INVALID, bound.delete_cred, listed["alice"][R.CREDENTIAL_ID])
equal(len(bound.enumerate_creds(found["example.net"])), 1, "credentials of the bound relying party")

# The persistent token reads, for ever and without the PIN, and changes nothing.
persistent = pin.get_pin_token("1234", P.PERSISTENT_CREDENTIAL_MGMT)
reader = CredentialManagement(ctap, protocol, persistent)
identifier, state = revealed(IDENTIFIER, persistent), revealed(STORE_STATE, persistent)
power_cycle(device)
equal(reader.get_metadata()[R.EXISTING_CRED_COUNT], 3, "existing credentials, read with the persistent token")
equal(len(reader.enumerate_creds(found["example.com"])), 2, "credentials, read with the persistent token")
refused(ERR.PIN_AUTH_INVALID, reader.delete_cred, listed["alice"][R.CREDENTIAL_ID])
refused(ERR.PIN_AUTH_INVALID, reader.update_user_info, listed["alice"][R.CREDENTIAL_ID], listed["alice"][R.USER])
equal(revealed(STORE_STATE, persistent), state, "the state of unchanged credentials")

# Renaming.
credman = manager()
alice = listed["alice"]
refused(ERR.INVALID_PARAMETER, credman.update_user_info, alice[R.CREDENTIAL_ID], {"id": b"other", "name": "eve"})
credman.update_user_info(alice[R.CREDENTIAL_ID], {"id": alice[R.USER]["id"], "name": "alicia"})
renamed = [entry[R.USER] for entry in credman.enumerate_creds(found["example.com"])]
check({"id": alice[R.USER]["id"], "name": "alicia"} in [dict(user) for user in renamed], "renamed:", renamed)
renamed_state = revealed(STORE_STATE, persistent)
check(renamed_state != state, "the state of credentials after a change")

# Deleting.
credman.delete_cred(alice[R.CREDENTIAL_ID])
refused(ERR.NO_CREDENTIALS, credman.delete_cred, alice[R.CREDENTIAL_ID])
equal(credman.get_metadata()[R.EXISTING_CRED_COUNT], 2, "existing credentials after a deletion")
check(revealed(STORE_STATE, persistent) != renamed_state, "the state of credentials after a deletion")
equal(revealed(IDENTIFIER, persistent), identifier, "the identifier of the device")
relying_party = RelyingParty(device, Person(pin="1234", uv=False))
refused(
    ERR.NO_CREDENTIALS, ctap.get_assertion, "example.com", os.urandom(32), [alice[R.CREDENTIAL_ID]]
)
(response,) = relying_party.sign_in([credentials["bob"]])
equal(response.raw_id, credentials["bob"].credential_id, "who is left")

# A new PIN ends the persistent token.
pin.change_pin("1234", "5678")
refused(ERR.PIN_AUTH_INVALID, reader.get_metadata)
done()
