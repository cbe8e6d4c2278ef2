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
