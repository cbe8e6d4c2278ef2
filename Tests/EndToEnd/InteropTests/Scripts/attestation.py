"""Attestation statements before python-fido2's verifiers, and metadata before its reader.

Standard input is JSON: {"statements": [{"object", "hash", "root"}], "metadata": [{"statement", "object", "hash",
"stranger"}]}, byte strings in hexadecimal. For each statement there is a line of what it amounts to, or of the exception
that refused it; for each metadata statement "accepted".
"""

import json
import sys

from fido2.attestation import Attestation, verify_x509_chain
from fido2.mds3 import MdsAttestationVerifier, MetadataBlobPayload, MetadataStatement
from fido2.webauthn import AttestationObject


def judge(case):
    attested = AttestationObject(bytes.fromhex(case["object"]))
    verifier = Attestation.for_type(attested.fmt)()
    result = verifier.verify(attested.att_stmt, attested.auth_data, bytes.fromhex(case["hash"]))
    if result.trust_path:
        verify_x509_chain(result.trust_path + [bytes.fromhex(case["root"])])
    return result.attestation_type.name


def verdict(case):
    try:
        return judge(case)
    except Exception as error:  # The library refuses with many errors, not all of them deliberate.
        return f"refused: {type(error).__name__}"


def equal(actual, expected, what):
    if actual != expected:
        raise AssertionError(f"{what}: expected {expected!r}, not {actual!r}")


def subject(statement):
    names = ("aaguid", "attestationCertificateKeyIdentifiers")
    return {name: statement[name] for name in names if name in statement}


def read_metadata(case):
    statement = json.loads(case["statement"])
    # python-fido2 reads and writes the same statement: it knows every member and its form.
    equal(dict(MetadataStatement.from_dict(statement)), statement, "the statement, read and written")
    payload = MetadataBlobPayload.from_dict({
        "legalHeader": "none",
        "no": 1,
        "nextUpdate": "2060-01-01",
        "entries": [{
            **subject(statement),
            "metadataStatement": statement,
            "statusReports": [{"status": "NOT_FIDO_CERTIFIED", "effectiveDate": "2025-01-01"}],
            "timeOfLastStatusChange": "2025-01-01",
        }],
    })
    verifier = MdsAttestationVerifier(payload)
    client_data_hash = bytes.fromhex(case["hash"])
    attested = AttestationObject(bytes.fromhex(case["object"]))
    verifier.verify_attestation(attested, client_data_hash)
    entry = verifier.find_entry(attested, client_data_hash)
    equal(entry.metadata_statement.description, statement["description"], "the description")
    stranger = AttestationObject(bytes.fromhex(case["stranger"]))
    equal(verifier.find_entry(stranger, client_data_hash), None, "the entry for another root")
    return "accepted"


requested = json.load(sys.stdin)
print(json.dumps({
    "statements": [verdict(case) for case in requested["statements"]],
    "metadata": [read_metadata(case) for case in requested["metadata"]],
}))
