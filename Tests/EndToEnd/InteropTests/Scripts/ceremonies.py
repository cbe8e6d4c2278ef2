"""Registers and signs in with every algorithm, resident and not, verified by python-fido2's server."""

from bench import Ctap2, ClientPin, Person, RelyingParty, check, connect, done, equal, requested

device = connect()
ctap = Ctap2(device)
info = ctap.info
person = Person(pin=requested["pin"], uv=requested["pin"] is None)
if requested["pin"] is not None:
    ClientPin(ctap).set_pin(requested["pin"])

equal([entry["alg"] for entry in info.algorithms], requested["algorithms"], "algorithms")
counts = []
for algorithm in requested["algorithms"]:
    for rk in ("required", "discouraged"):
        relying_party = RelyingParty(device, person, rp_id=f"rk-{rk}{-algorithm}.example.com", algorithm=algorithm)
        response, data = relying_party.register("alice", rk=rk)
        attested = data.credential_data
        equal(attested.public_key[3], algorithm, "algorithm of the new key")
        equal(attested.aaguid, info.aaguid, "AAGUID")
        check(data.is_user_present() and data.is_user_verified(), "flags", data.flags)
        check(len(attested.credential_id) <= info.max_cred_id_length, "length of the credential ID")
        equal(response.response.attestation_object.fmt, requested["format"], "attestation statement format")
        equal((data.is_backup_eligible(), data.is_backed_up()), (requested["synced"], requested["synced"]), "BE and BS")
        equal(data.extensions, None, "extensions without a request")

        # By its ID, and where the device remembers it, without.
        discoverable = rk == "required" or requested["synced"]
        for allow in [[attested]] + ([None] if discoverable else []):
            (assertion,) = relying_party.sign_in([attested], allow=allow)
            signed = assertion.response.authenticator_data
            check(signed.is_user_present() and signed.is_user_verified(), "flags", signed.flags)
            equal(signed.is_backed_up(), data.is_backed_up(), "BS")
            check(discoverable or assertion.response.user_handle is None, "user handle of a credential without one")
            counts.append(signed.counter)

if requested["synced"]:
    equal(set(counts), {0}, "counters of a synced passkey")
else:
    check(all(a < b for a, b in zip(counts, counts[1:])), "counters that do not rise:", counts)
done(asked=sorted(set(person.asked)))
