"""The user's answers to a question for a touch. The Swift side queues them: no, silence, yes."""

from bench import ERR, Ctap2, check, connect, done, refused

ctap = Ctap2(connect())
parameters = (
    b"\x88" * 32, {"id": "example.com", "name": "Example"}, {"id": b"user", "name": "user"},
    [{"type": "public-key", "alg": -7}],
)
refused(ERR.OPERATION_DENIED, ctap.make_credential, *parameters)
refused(ERR.OPERATION_DENIED, ctap.make_credential, *parameters)  # CTAP 2.3 §6.1.2 step 14: also on a timeout
check(ctap.make_credential(*parameters).auth_data.is_user_present(), "UP")
done()
