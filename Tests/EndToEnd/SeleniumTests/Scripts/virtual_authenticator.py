"""A Selenium script with a virtual authenticator, as a test of a web app has it. It does not know whose it is.

The first argument is JSON: {"driver": URL of a WebDriver server, "base": URL of `touchstone serve`, "name": a new user}.
"""

import json
import sys

from pages import Pages, open_browser
from selenium.webdriver.common.virtual_authenticator import VirtualAuthenticatorOptions

requested = json.loads(sys.argv[1])
driver = open_browser(requested["driver"])
try:
    pages = Pages(driver, requested["base"])
    options = VirtualAuthenticatorOptions(
        protocol=VirtualAuthenticatorOptions.Protocol.CTAP2,
        transport=VirtualAuthenticatorOptions.Transport.INTERNAL,
        has_resident_key=True, has_user_verification=True, is_user_consenting=True, is_user_verified=True)
    driver.add_virtual_authenticator(options)

    pages.make_account(requested["name"])
    assert driver.execute_async_script(
        "PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().then(arguments[0])") is True
    pages.register()
    (credential,) = driver.get_credentials()
    assert credential.rp_id == "localhost" and credential.is_resident_credential
    count = credential.sign_count

    # The conditional request of the user name field signs in without a click.
    pages.sign_out()
    pages.wait(lambda: driver.get_credentials()[0].sign_count > count, "a signature")
    pages.is_at("/passkeys")
    assert pages.passkeys() == 1

    # The user does not pass verification.
    driver.set_user_verified(False)
    pages.open("/step-up")
    pages.click("Confirm with a passkey")
    pages.says("No passkey was used. Try again, or use another way.")

    driver.remove_all_credentials()
    assert driver.get_credentials() == []
    driver.remove_virtual_authenticator()
finally:
    driver.quit()
print("{}")
