"""The pages of `touchstone serve` in a browser that Selenium drives."""

import shutil

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 20


def open_browser(url, **capabilities):
    """A session of the WebDriver server at a URL."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in ["--headless=new", "--no-sandbox"]:
        options.add_argument(argument)
    for name, value in capabilities.items():
        options.set_capability(name.replace("_", ":", 1), value)
    driver = webdriver.Remote(command_executor=url, options=options)
    driver.set_page_load_timeout(SECONDS)
    driver.set_script_timeout(SECONDS)
    return driver


class Pages:
    def __init__(self, driver, base):
        self.driver, self.base = driver, base

    def open(self, path):
        self.driver.get(self.base + path)

    def wait(self, condition, what):
        WebDriverWait(self.driver, SECONDS, poll_frequency=0.05).until(lambda _: condition(), what)

    def element(self, identifier):
        return self.driver.find_element(By.ID, identifier)

    def click(self, text):
        self.driver.find_element(By.XPATH, f"//button[normalize-space()='{text}']").click()

    def is_at(self, path):
        self.wait(lambda: self.driver.current_url == self.base + path, f"the page {path}")

    def says(self, message):
        self.wait(lambda: self.element("message").text == message, f"the message {message!r}")

    def make_account(self, name):
        self.open("/sign-in")
        self.element("new-username").send_keys(name)
        self.click("Create an account")
        self.is_at("/passkeys")

    def register(self):
        self.click("Create a passkey")
        self.says("The passkey is created.")

    def sign_out(self):
        self.open("/passkeys")
        self.click("Sign out")

    def passkeys(self):
        self.wait(lambda: self.driver.find_elements(By.CSS_SELECTOR, "#passkeys li"), "a passkey in the list")
        return len(self.driver.find_elements(By.CSS_SELECTOR, "#passkeys li"))
