"""The common part of the scripts: python-fido2's own way to a card on a PC/SC reader."""

from fido2.pcsc import CtapPcscDevice

from bench import check, requested


def on_reader():
    """The key on the reader the Swift side has laid it on."""
    devices = list(CtapPcscDevice.list_devices(requested["reader"]))
    check(len(devices) == 1, "keys on the reader:", devices)
    return devices[0]


def tap(device):
    """Lifts the key and lays it down again: the reader switches its field off and on."""
    device.close()
    device.connect()
