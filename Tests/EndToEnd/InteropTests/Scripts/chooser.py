"""A phone that lets its person choose the account; the Swift side tells them which between the two acts."""

from bench import Ctap2, Person, RelyingParty, connect, done, equal, requested

device = connect()
relying_party = RelyingParty(device, Person())
if requested["act"] == "register":
    for name in requested["names"]:
        relying_party.register(name, rk="required")
    done()
else:
    options, _ = relying_party.server.authenticate_begin(user_verification="required")
    (assertion,) = relying_party.client.get_assertion(options.public_key).get_assertions()
    equal(assertion.number_of_credentials, None, "numberOfCredentials where the device has chosen")
    equal(assertion.user_selected, True, "userSelected")
    done(credential=assertion.credential["id"].hex())
