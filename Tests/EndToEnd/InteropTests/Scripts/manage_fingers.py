"""Fingerprints, enrolled and managed over authenticatorBioEnrollment. The Swift side queues the acts of the finger."""

from fido2.ctap2.bio import BioEnrollment, CaptureError, FPBioEnrollment

from bench import (
    ERR, PROTOCOLS, ClientPin, Ctap2, Person, RelyingParty, check, connect, done, equal, refused, requested,
)

P = ClientPin.PERMISSION
R = BioEnrollment.RESULT
device = connect()
ctap = Ctap2(device)
protocol = PROTOCOLS[requested["protocol"]]()
pin = ClientPin(ctap, protocol)
pin.set_pin("1234")
bio = FPBioEnrollment(ctap, protocol, pin.get_pin_token("1234", P.BIO_ENROLL))

info = bio.get_fingerprint_sensor_info()
equal(info[R.FINGERPRINT_KIND], 1, "fingerprintKind")
equal(info[R.MAX_SAMPLES_REQUIRED], 4, "maxCaptureSamplesRequiredForEnroll")
equal(info[R.MAX_TEMPLATE_FRIENDLY_NAME], 64, "maxTemplateFriendlyName")

for template_id in bio.enumerate_enrollments():
    bio.remove_enrollment(template_id)
equal(bio.enumerate_enrollments(), {}, "fingers of a device without any")
equal(ctap.get_info().options["bioEnroll"], False, "bioEnroll without fingers")
equal(ctap.get_info().options["uv"], False, "uv without fingers")


def enrol():
    """Presents the finger until it is enrolled; returns its template ID and the errors on the way."""
    context = bio.enroll(timeout=10_000)
    complaints = []
    while True:
        try:
            template_id = context.capture()
        except CaptureError as error:
            complaints.append(int(error.code))
            continue
        if template_id is not None:
            return template_id, complaints


first, complaints = enrol()
equal(complaints, requested["complaints"], "the problems of the samples")
bio.set_name(first, "right thumb")
equal(dict(bio.enumerate_enrollments()), {first: "right thumb"}, "the first finger")
equal(ctap.get_info().options["bioEnroll"], True, "bioEnroll with a finger")
refused(ERR.INVALID_LENGTH, bio.set_name, first, "x" * 65)
refused(ERR.INVALID_OPTION, bio.set_name, b"\xff\xff\xff", "missing")
refused(ERR.INVALID_OPTION, bio.remove_enrollment, b"\xff\xff\xff")

# Given up half-way.
context = bio.enroll()
equal(context.capture(), None, "the first of several samples")
template_id = context.template_id
context.cancel()
refused(ERR.INVALID_PARAMETER, bio.enroll_capture_next, template_id)
equal(list(bio.enumerate_enrollments()), [first], "fingers after a cancelled enrolment")

fingers = [first] + [enrol()[0] for _ in range(requested["room"] - 1)]
refused(ERR.FP_DATABASE_FULL, bio.enroll_begin)
equal(len(set(fingers)), requested["room"], "different template IDs")

# The finger verifies its person, and may enrol another by itself.
relying_party = RelyingParty(device, Person(pin=None))
_, data = relying_party.register("alice", rk="required")
check(data.is_user_verified(), "UV by the enrolled finger")
bio = FPBioEnrollment(ctap, protocol, pin.get_uv_token(P.BIO_ENROLL))
for template_id in fingers:
    bio.remove_enrollment(template_id)
equal(bio.enumerate_enrollments(), {}, "fingers after all were removed")

# A token for something else does not do.
other = FPBioEnrollment(ctap, protocol, pin.get_pin_token("1234", P.CREDENTIAL_MGMT))
refused(ERR.PIN_AUTH_INVALID, other.enroll_begin)
done()
