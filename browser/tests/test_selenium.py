"""Selenium's driver of the Python client, which starts `touchstone webdriver`."""

import shutil

import pytest
from selenium import webdriver
from test_page_script import CREATE, GET

from touchstone_bench import CeremonyError, IdleActsError, TouchstoneError
from touchstone_bench.selenium import Remote


def options():
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox"]:
        options.add_argument(argument)
    return options


def test_a_session_has_a_device(program, pages):
    with Remote(options(), "pixel-fingerprint", program=program) as driver:
        driver.get(pages.local)
        made = driver.execute_script(f"return ({CREATE})({{rpId: 'localhost'}})")
        assert [entry["credentialId"] for entry in driver.passkey_device.credentials()] == [made["id"]]
        driver.passkey_device.plan("cancel")
        assert driver.execute_script(f"return ({GET})({{rpId: 'localhost'}})") == {"error": "NotAllowedError"}

        driver.execute_script(f"globalThis.asked = ({GET})({{rpId: 'localhost', mediation: 'conditional'}})")
        driver.passkey_device.plan("cancel")
        with pytest.raises(CeremonyError):
            driver.pick_passkey()
        driver.pick_passkey()
        assert driver.execute_script("return asked")["id"] == made["id"]


def test_a_session_without_a_device_says_so(program):
    with Remote(options(), program=program) as driver:
        with pytest.raises(TouchstoneError, match="no device"):
            driver.passkey_device


def test_the_end_of_a_session_tells_the_acts_without_effect(program):
    with pytest.raises(IdleActsError, match="No prompt asked for cancel"):
        with Remote(options(), "iphone-face-id", program=program) as driver:
            driver.passkey_device.plan("cancel")
    with pytest.raises(KeyError):
        with Remote(options(), "iphone-face-id", program=program) as driver:
            driver.passkey_device.plan("cancel")
            raise KeyError
    with Remote(options(), "iphone-face-id", program=program, checks_acts=False) as driver:
        driver.passkey_device.plan("cancel")
