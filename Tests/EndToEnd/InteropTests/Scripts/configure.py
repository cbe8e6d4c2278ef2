"""authenticatorConfig: enterprise attestation, always-require-UV, PIN policy."""

import os

from fido2.ctap2.config import Config

from bench import ERR, PROTOCOLS, ClientPin, Ctap2, check, connect, done, equal, refused, requested

P = ClientPin.PERMISSION
device = connect()
ctap = Ctap2(device)
protocol = PROTOCOLS[requested["protocol"]]()
pin = ClientPin(ctap, protocol)


def config(permission=P.AUTHENTICATOR_CFG, by_pin="123456"):
    return Config(ctap, protocol, pin.get_pin_token(by_pin, permission))


def option(name):
    return ctap.get_info().options.get(name)


def register(**parameters):
    return ctap.make_credential(
        os.urandom(32), {"id": "example.com", "name": "Example"}, {"id": os.urandom(8), "name": "user"},
        [{"type": "public-key", "alg": -7}], **parameters,
    )


pin.set_pin("123456")
refused(ERR.PUAT_REQUIRED, Config(ctap).toggle_always_uv)
refused(ERR.PIN_AUTH_INVALID, config(P.CREDENTIAL_MGMT).toggle_always_uv)

equal(option("ep"), False, "ep")
config().enable_enterprise_attestation()
equal(option("ep"), True, "ep after it was enabled")

equal(option("alwaysUv"), False, "alwaysUv")
config().toggle_always_uv()
equal(option("alwaysUv"), True, "alwaysUv after it was toggled")
refused(ERR.PUAT_REQUIRED, register)
config().toggle_always_uv()
equal(option("alwaysUv"), False, "alwaysUv after it was toggled back")
check(not register().auth_data.is_user_verified(), "a registration without verification")

# PIN policy, and who may know of it.
equal(ctap.get_info().min_pin_length, 4, "minPINLength")


def min_pin_length(rp_id):
    token = pin.get_pin_token("123456", P.MAKE_CREDENTIAL, rp_id)
    client_data_hash = os.urandom(32)
    made = ctap.make_credential(
        client_data_hash, {"id": rp_id, "name": rp_id}, {"id": b"user", "name": "user"},
        [{"type": "public-key", "alg": -7}], extensions={"minPinLength": True},
        pin_uv_param=protocol.authenticate(token, client_data_hash), pin_uv_protocol=protocol.VERSION,
    )
    return (made.auth_data.extensions or {}).get("minPinLength")


equal(min_pin_length("example.com"), None, "minPinLength for a relying party that is not named")
config().set_min_pin_length(min_pin_length=6, rp_ids=["example.com"])
equal(ctap.get_info().min_pin_length, 6, "minPINLength after it was raised")
equal(min_pin_length("example.com"), 6, "minPinLength for a relying party that was named")
equal(min_pin_length("example.net"), None, "minPinLength for one that was not")
refused(ERR.PIN_POLICY_VIOLATION, config().set_min_pin_length, min_pin_length=5)
refused(
    ERR.KEY_STORE_FULL, config().set_min_pin_length,
    rp_ids=[f"{i}.example" for i in range(ctap.get_info().max_rpids_for_min_pin + 1)],
)

# A PIN that has become too short, or is to be changed anyway.
last = config()
last.set_min_pin_length(min_pin_length=8)
equal(ctap.get_info().force_pin_change, True, "forcePINChange after the minimum went past the PIN")
refused(ERR.PIN_AUTH_INVALID, last.toggle_always_uv)
refused(ERR.PIN_POLICY_VIOLATION, pin.get_pin_token, "123456", P.AUTHENTICATOR_CFG)
refused(ERR.PIN_INVALID, pin.get_pin_token, "123456")
refused(ERR.PIN_POLICY_VIOLATION, pin.change_pin, "123456", "1234567")
pin.change_pin("123456", "12345678")
equal(bool(ctap.get_info().force_pin_change), False, "forcePINChange after the change")
config(by_pin="12345678").set_min_pin_length(force_change_pin=True)
equal(ctap.get_info().force_pin_change, True, "forcePINChange on demand")
refused(ERR.PIN_POLICY_VIOLATION, pin.change_pin, "12345678", "12345678")
pin.change_pin("12345678", "87654321")
done()
