"""The uses of a pinUvAuthToken, and its limits."""

from bench import ERR, PROTOCOLS, ClientPin, Ctap2, check, connect, done, equal, power_cycle, refused, requested

P = ClientPin.PERMISSION
by_pin = requested["method"] == "pin"
device = connect()
ctap = Ctap2(device)
protocol = PROTOCOLS[requested["protocol"]]()
pin = ClientPin(ctap, protocol)
pin.set_pin("1234")
client_data_hash = b"\x44" * 32


def token_for(permissions, rp_id="example.com"):
    if by_pin:
        return pin.get_pin_token("1234", permissions, rp_id)
    return pin.get_uv_token(permissions, rp_id)


def register(token, rp_id="example.com", proof=None):
    proof = proof or protocol.authenticate(token, client_data_hash)
    return ctap.make_credential(
        client_data_hash, {"id": rp_id, "name": rp_id}, {"id": b"user", "name": "user"},
        [{"type": "public-key", "alg": -7}], options={"rk": True}, pin_uv_param=proof,
        pin_uv_protocol=protocol.VERSION,
    )


def sign_in(token, rp_id="example.com"):
    return ctap.get_assertion(
        rp_id, client_data_hash, pin_uv_param=protocol.authenticate(token, client_data_hash),
        pin_uv_protocol=protocol.VERSION,
    )


both = token_for(P.MAKE_CREDENTIAL | P.GET_ASSERTION)
refused(ERR.PIN_AUTH_INVALID, register, both, rp_id="elsewhere.example")
refused(ERR.PIN_AUTH_INVALID, register, both, proof=b"\x00" * (16 if protocol.VERSION == 1 else 32))
check(register(both).auth_data.is_user_verified(), "UV of a registration with a token")
# The touch has spent it.
refused(ERR.PIN_AUTH_INVALID, sign_in, both)

signs_only = token_for(P.GET_ASSERTION)
refused(ERR.PIN_AUTH_INVALID, register, signs_only)
check(sign_in(signs_only).auth_data.is_user_verified(), "UV of an assertion with a token")
registers_only = token_for(P.MAKE_CREDENTIAL)
refused(ERR.PIN_AUTH_INVALID, sign_in, registers_only)

# One token at a time; a new one ends the one before, a power cycle every one.
older = token_for(P.GET_ASSERTION)
newer = token_for(P.GET_ASSERTION)
check(older != newer, "two tokens alike")
refused(ERR.PIN_AUTH_INVALID, sign_in, older)
power_cycle(device)
refused(ERR.PIN_AUTH_INVALID, sign_in, newer)

# Permissions that are none, and such as this device does not have.
refused(ERR.INVALID_PARAMETER, token_for, P(0))
refused(ERR.MISSING_PARAMETER, token_for, P.GET_ASSERTION, None)
for permission in (P.CREDENTIAL_MGMT, P.BIO_ENROLL, P.LARGE_BLOB_WRITE, P.AUTHENTICATOR_CFG):
    refused(ERR.UNAUTHORIZED_PERMISSION, token_for, permission, None)

# CTAP 2.0's token has no permissions of its own and is bound by its first use.
if by_pin:
    legacy = pin.get_pin_token("1234")
    refused(ERR.NO_CREDENTIALS, sign_in, legacy, rp_id="elsewhere.example")
    refused(ERR.PIN_AUTH_INVALID, sign_in, legacy)
    legacy = pin.get_pin_token("1234")
    check(sign_in(legacy).auth_data.is_user_verified(), "UV of an assertion with CTAP 2.0's token")

done()
