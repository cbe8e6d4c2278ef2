"""The pytest plugin, in test sessions of its own."""

import pytest

FAILING = """
    def test_signs_in(passkey_device):
        phone = passkey_device("iphone-face-id", "phone")
        phone.plan("cancel")
        phone.create({"rp": {"name": "x", "id": "example.org"}, "challenge": "AAECAwQFBgcICQoLDA0ODw",
            "user": {"id": "AQID", "name": "ada", "displayName": "Ada"},
            "pubKeyCredParams": [{"type": "public-key", "alg": -7}]}, "https://example.org")
"""
ENDING = """
    import pytest

    @pytest.mark.parametrize("turn", [1, 2])
    def test_has_a_fresh_device(passkey_device, touchstone_control, turn):
        assert touchstone_control.devices() == []
        phone = passkey_device("pixel-fingerprint", "phone")
        assert phone.credentials() == []
        assert len(touchstone_control.devices()) == 1
"""


OPTIONS = """
    import contextlib
    import pytest
    from touchstone_bench import CeremonyError, Control

    ORIGIN = "https://example.org"
    REQUEST = {"rpId": "example.org", "challenge": "AAECAwQFBgcICQoLDA0ODw", "userVerification": "required"}
    CREATION = {"rp": {"name": "x", "id": "example.org"}, "challenge": "AAECAwQFBgcICQoLDA0ODw",
        "user": {"id": "AQID", "name": "ada", "displayName": "Ada"},
        "pubKeyCredParams": [{"type": "public-key", "alg": -7}], "authenticatorSelection": {"residentKey": "required"}}

    def fail_to_sign_in(phone):
        phone.create(CREATION, ORIGIN)
        phone.plan("no-match x 5", "cancel")
        with pytest.raises(CeremonyError):
            phone.get(REQUEST, ORIGIN)
"""
UNASKED = "*phone: No prompt asked for no-match, cancel.*"
# A test's body, and a line of its failure; none for a test that passes.
PLANS = {
    "unasked": ("phone.plan('no-match', 'cancel')", UNASKED),
    "ignored": ("fail_to_sign_in(phone)", "*phone: The prompt ignored no-match, no-match, no-match: the prompt asks for the passcode.*"),
    "deleted": ("phone.plan('no-match', 'cancel'); phone.delete()", UNASKED),
    "context manager": (
        "with touchstone_control.start_device('iphone-face-id') as other: other.plan('cancel')", "*No prompt asked for cancel.*"),
    "other control": (
        "with Control(touchstone_control.url, touchstone_control.token) as other: other.device('phone').plan('cancel')",
        "*phone: No prompt asked for cancel.*"),
    "error": ("phone.plan('cancel'); assert False, 'another reason'", "*another reason*"),
    "used": ("phone.create(CREATION, ORIGIN); phone.plan('match'); phone.get(REQUEST, ORIGIN)", None),
    "forgotten": ("fail_to_sign_in(phone); assert len(phone.person()['ignored']) == 3; phone.forget_plan()", None),
    "unchecked": ("phone.checks_acts = False; fail_to_sign_in(phone); phone.plan('match')", None),
}


@pytest.fixture
def session(pytester, touchstone_control):
    """Runs a file of tests in a session whose only plugin of ours is the one under test."""
    program = touchstone_control.process._process.args[0]

    def run(text):
        pytester.makepyfile(text)
        return pytester.runpytest(f"--touchstone={program}", "-p", "touchstone_bench.pytest_plugin")

    return run


def test_a_failure_shows_the_events_and_the_trace(session):
    result = session(FAILING)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([
        "*CeremonyError: NotAllowedError*userCancelled*",
        "*touchstone events of phone*",
        "*prompt for the face*",
        "*cause: *",
        "*touchstone trace*",
        "*phone → ClientPIN*",
    ])


def test_a_success_shows_nothing(session):
    result = session(ENDING)
    result.assert_outcomes(passed=2)
    result.stdout.no_fnmatch_line("*touchstone events*")


def test_the_events_are_those_of_the_failing_test_only(session):
    result = session(FAILING + FAILING.replace("test_signs_in", "test_again").replace('"cancel"', '"no-match x 2", "cancel"'))
    result.assert_outcomes(failed=2)
    assert str(result.stdout).count("prompt for the face") == 2


@pytest.mark.parametrize("name", PLANS)
def test_a_test_fails_whose_planned_acts_had_no_effect(session, name):
    body, line = PLANS[name]
    result = session(OPTIONS + f"""
    def test_plans(passkey_device, touchstone_control):
        phone = passkey_device("iphone-face-id", "phone")
        {body}

    def test_is_not_blamed(passkey_device):
        assert passkey_device("iphone-face-id", "phone").person()["planned"] == []
""")
    if line is None:
        result.assert_outcomes(passed=2)
    else:
        result.assert_outcomes(passed=1, failed=1)
        result.stdout.fnmatch_lines([line])
    if name == "error":
        result.stdout.no_fnmatch_line("*No prompt asked*")


def test_a_device_of_another_fixture_is_checked(session):
    result = session("""
    import pytest
    import touchstone_bench

    @pytest.fixture(scope="session")
    def touchstone_control(request):
        with touchstone_bench.Control.start(request.config.getoption("--touchstone")) as control:
            yield control

    @pytest.fixture
    def phone(passkey_device):
        phone = passkey_device("iphone-face-id", "phone", checks_acts=True)
        yield phone
        phone.plan("match")

    def test_plans(touchstone_control):
        touchstone_control.start_device("iphone-face-id", "other").plan("cancel")

    def test_leaves_the_plan_to_its_fixture(phone):
        assert phone.person()["planned"] == []
""")
    result.assert_outcomes(passed=1, failed=1, errors=1)
    result.stdout.fnmatch_lines(["*phone: No prompt asked for match.*", "*other: No prompt asked for cancel.*"])
