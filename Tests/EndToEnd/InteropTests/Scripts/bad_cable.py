"""A device whose packets go wrong: python-fido2 must end each request, and get along with the device afterwards."""

from bench import Ctap2, connect, done, requested

device = connect()
device._connection.socket.settimeout(1)
outcome = "intact"
try:
    Ctap2(device)
except Exception as error:
    outcome = type(error).__name__
done(outcome=outcome)
