"""A site of django-allauth with its own pages for passkeys, and its JSON interface under /_allauth/browser/v1.

GET /mail?to=ADDRESS answers the text of the last mail to an address, which has the code that confirms the address.

The argument is JSON: with "verification": "none" addresses need no confirmation, and sign-ins are not limited.
"""
import json
import os
import sys
import tempfile
import threading

import django
from django.conf import settings
from django.contrib.staticfiles.handlers import StaticFilesHandler
from django.core import mail
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import include, path

variant = json.loads(sys.argv[1] if len(sys.argv) > 1 else "{}")
confirms = variant.get("verification") != "none"
folder = tempfile.TemporaryDirectory(prefix="touchstone-allauth-")
settings.configure(
    SECRET_KEY="a site of the tests", DEBUG=confirms, ALLOWED_HOSTS=["localhost"], ROOT_URLCONF=__name__,
    DATABASES={"default": {
        "ENGINE": "django.db.backends.sqlite3", "NAME": os.path.join(folder.name, "site.sqlite"),
        "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE", "init_command": "PRAGMA synchronous=OFF"},
    }},
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.humanize", "django.contrib.messages",
        "django.contrib.sessions", "django.contrib.staticfiles", "allauth", "allauth.account", "allauth.headless", "allauth.mfa",
    ],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware", "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware", "allauth.account.middleware.AccountMiddleware",
    ],
    TEMPLATES=[{
        "BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
        "OPTIONS": {"context_processors": [
            "django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
            "django.contrib.messages.context_processors.messages",
        ]},
    }],
    AUTHENTICATION_BACKENDS=["allauth.account.auth_backends.AuthenticationBackend"],
    EMAIL_BACKEND="django.core.mail.backends.locmem.EmailBackend", STATIC_URL="/static/", LOGIN_REDIRECT_URL="/accounts/2fa/",
    ACCOUNT_SIGNUP_FIELDS=["email*", "password1*", "password2*"], ACCOUNT_LOGIN_METHODS={"email"},
    ACCOUNT_EMAIL_VERIFICATION="mandatory" if confirms else "none", ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED=confirms,
    ACCOUNT_RATE_LIMITS=False, MFA_ALLOW_UNVERIFIED_EMAIL=not confirms, **({} if confirms else {"MFA_RATE_LIMITS": False}),
    # A run makes many accounts; the cost of a password's hash does not matter to it.
    PASSWORD_HASHERS=[f"django.contrib.auth.hashers.{'PBKDF2' if confirms else 'MD5'}PasswordHasher"],
    MFA_SUPPORTED_TYPES=["recovery_codes", "webauthn"], MFA_PASSKEY_LOGIN_ENABLED=True, MFA_PASSKEY_SIGNUP_ENABLED=confirms,
    # The tests' browser reaches the site as http://localhost.
    MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN=True,
)
mail.outbox = []


def last_mail(request):
    texts = [message.body for message in mail.outbox if request.GET["to"] in message.to]
    return HttpResponse(texts[-1] if texts else "", status=200 if texts else 404, content_type="text/plain; charset=utf-8")


class Handler(WSGIRequestHandler):
    def log_message(self, *values):
        return


django.setup()
urlpatterns = [
    path("accounts/", include("allauth.urls")), path("_allauth/", include("allauth.headless.urls")), path("mail", last_mail),
]
call_command("migrate", verbosity=0)
server = ThreadedWSGIServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
server.set_app(StaticFilesHandler(get_wsgi_application()))
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
# The end of its standard input ends the site.
sys.stdin.read()
server.shutdown()
folder.cleanup()
