"""One registration and one sign-in, for a person who acts elsewhere."""

from bench import Person, RelyingParty, check, connect, done, equal

device = connect()
person = Person()
relying_party = RelyingParty(device, person)
_, data = relying_party.register("alice", rk="required")
check(data.is_user_verified(), "UV")
(assertion,) = relying_party.sign_in([data.credential_data])
check(assertion.response.authenticator_data.is_user_verified(), "UV")
done(credential=data.credential_data.credential_id.hex(), asked=person.asked)
