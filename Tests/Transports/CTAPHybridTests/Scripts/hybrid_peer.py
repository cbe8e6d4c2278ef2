"""A second implementation of the hybrid transport, with cryptography and cbor2: both ends, and its values.

Standard input has one message in a line. The random numbers depend on the seed alone, so a run with more lines repeats
the answers of a run with fewer, and goes on.
"""
import hashlib
import hmac
import json
import sys

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()


class Random:
    def __init__(self, seed):
        self.state = seed.encode()

    def take(self, count):
        taken = b""
        while len(taken) < count:
            self.state = hashlib.sha256(self.state).digest()
            taken += self.state
        return taken[:count]

    def key(self):
        return ec.derive_private_key(int.from_bytes(self.take(31)) + 1, CURVE)


# Keys

def derive(secret, salt, purpose, length):
    return HKDF(hashes.SHA256(), length, salt or None, purpose.to_bytes(4, "little")).derive(secret)


def point(key, form=PublicFormat.UncompressedPoint):
    public = key.public_key() if hasattr(key, "public_key") else key
    return public.public_bytes(Encoding.X962, form)


def load(data):
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)


def shared(key, peer):
    return key.exchange(ec.ECDH(), peer)


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


# QR code, advert and domain

WIDTHS = {1: 3, 2: 5, 3: 8, 4: 10, 5: 13, 6: 15, 7: 17}


def to_digits(data):
    chunks = [data[start:start + 7] for start in range(0, len(data), 7)]
    return "".join(str(int.from_bytes(chunk, "little")).zfill(WIDTHS[len(chunk)]) for chunk in chunks)


def from_digits(text):
    lengths = {width: length for length, width in WIDTHS.items()}
    chunks = [text[start:start + 17] for start in range(0, len(text), 17)]
    return b"".join(int(chunk).to_bytes(lengths[len(chunk)], "little") for chunk in chunks)


def block(key):
    return Cipher(algorithms.AES256(key), modes.ECB())


def seal_advert(key, plaintext):
    encryptor = block(key[:32]).encryptor()
    sealed = encryptor.update(plaintext) + encryptor.finalize()
    return sealed + mac(key[32:], sealed)[:4]


def open_advert(key, data):
    assert len(data) >= 20 and mac(key[32:], data[:16])[:4] == data[16:20], "another code's advert"
    decryptor = block(key[:32]).decryptor()
    plaintext = decryptor.update(data[:16]) + decryptor.finalize()
    assert plaintext[0] == 0
    return plaintext


def host(number):
    if number < 256:
        return ["cable.ua5v.com", "cable.auth.com"][number]
    text = b"caBLEv2 tunnel server domain" + number.to_bytes(2, "little") + b"\0"
    value = int.from_bytes(hashlib.sha256(text).digest()[:8], "little")
    label, rest = "", value >> 2
    while rest:
        rest, index = divmod(rest, 32)
        label += "abcdefghijklmnopqrstuvwxyz234567"[index]
    return f"cable.{label}.{['com', 'org', 'net', 'info'][value & 3]}"


# Handshake

class Noise:
    def __init__(self, name, prologue, static):
        self.chaining = self.hash = f"Noise_{name}psk0_P256_AESGCM_SHA256".encode().ljust(32, b"\0")
        self.mix_hash(bytes([prologue]))
        self.mix_hash(static)

    def expand(self, material, count):
        # HKDF as two steps: extract with HMAC, then expand.
        output = HKDFExpand(hashes.SHA256(), 32 * count, b"").derive(mac(self.chaining, material))
        return [output[start:start + 32] for start in range(0, len(output), 32)]

    def mix_hash(self, data):
        self.hash = hashlib.sha256(self.hash + data).digest()

    def mix_key(self, material):
        self.chaining, self.key = self.expand(material, 2)

    def mix_psk(self, material):
        self.chaining, middle, self.key = self.expand(material, 3)
        self.mix_hash(middle)

    def mix_point(self, data):
        self.mix_hash(data)
        self.mix_key(data)

    def seal(self):
        tag = AESGCM(self.key).encrypt(bytes(12), b"", self.hash)
        self.mix_hash(tag)
        return tag

    def open(self, tag):
        assert AESGCM(self.key).decrypt(bytes(12), tag, self.hash) == b""
        self.mix_hash(tag)


class Crypter:
    def __init__(self, send, receive, old):
        self.keys, self.counters, self.old = (AESGCM(send), AESGCM(receive)), [0, 0], old

    def parameters(self, direction):
        count = self.counters[direction]
        self.counters[direction] += 1
        if self.old:
            return count.to_bytes(4, "little") + bytes(8), b"\x02"
        return count.to_bytes(12, "big"), b""

    def seal(self, text):
        zeros = -(len(text) + 1) % 32
        nonce, data = self.parameters(0)
        return self.keys[0].encrypt(nonce, text + bytes(zeros) + bytes([zeros]), data)

    def open(self, frame):
        nonce, data = self.parameters(1)
        padded = self.keys[1].decrypt(nonce, frame, data)
        return padded[:len(padded) - 1 - padded[-1]]


# Both ends

def phone(options, lines, random):
    """Answers the other end: a code or a contact request, then its handshake message, then its frames."""
    root, ephemeral, nonce, link_id = random.take(32), random.key(), random.take(10), random.take(8)
    identity, link_secret = random.key(), derive(root, b"", 4, 32)
    old_form = options["revision"] == "2.0"
    if options.get("contact"):
        payload = cbor2.loads(bytes.fromhex(options["contact"]))
        secret, salt, qr = link_secret, payload[2], None
        assert payload[1] == link_id
        plaintext = b"\0" + random.take(15)
        noise = Noise("NK", 0, point(identity))
    else:
        qr = cbor2.loads(from_digits(options["code"].removeprefix("FIDO:/")))
        secret, salt = qr[1], b""
        plaintext = b"\0" + nonce + bytes.fromhex(options["routing"]) + (266).to_bytes(2, "little")
        noise = Noise("KN", 1, point(load(qr[0])))
    yield "advert " + seal_advert(derive(secret, salt, 1, 64), plaintext).hex()
    yield "tunnel " + derive(secret, b"", 2, 16).hex()

    message = bytes.fromhex(next(lines))
    noise.mix_psk(derive(secret, plaintext, 3, 32))
    noise.mix_point(message[:65])
    peer = load(message[:65])
    if not qr:
        noise.mix_key(shared(identity, peer))
    noise.open(message[65:])
    noise.mix_point(point(ephemeral))
    noise.mix_key(shared(ephemeral, peer))
    if qr:
        noise.mix_key(shared(ephemeral, load(qr[0])))
    yield "frame " + (point(ephemeral) + noise.seal()).hex()
    other_key, own_key = noise.expand(b"", 2)
    crypter = Crypter(own_key, other_key, options["old"])

    first = {1: cbor2.dumps({1: ["FIDO_2_0"], 4: {"rk": True, "uv": True}})}
    linking = None
    if qr and qr.get(4):
        signature = mac(shared(identity, load(qr[0])), noise.hash)
        linking = {1: b"contact", 2: link_id, 3: link_secret, 4: point(identity), 5: "Python", 6: signature, 999: True}
    if old_form and linking:
        first[2] = linking
    text = cbor2.dumps(first)
    if old_form:
        zeros = -(len(text) + 2) % 512
        text += bytes(zeros) + zeros.to_bytes(2, "little")
    yield "frame " + crypter.seal(text).hex()
    if linking and not old_form:
        yield "frame " + crypter.seal(b"\x02" + cbor2.dumps({1: linking})).hex()
    for line in lines:
        text = crypter.open(bytes.fromhex(line))
        if not old_form:
            kind, text = text[0], text[1:]
            if kind == 0:
                yield "shutdown"
                return
            assert kind == 1
        yield "command " + text.hex()
        answer = b"\0" + text[::-1]
        yield "frame " + crypter.seal(answer if old_form else b"\x01" + answer).hex()


def other_end(options, lines, random):
    """Answers a phone: its advert, then its handshake message, its first message, an update and an answer."""
    identity, ephemeral, secret = random.key(), random.key(), random.take(16)
    link = json.loads(options.get("link", "null"))
    if link:
        secret, salt = bytes.fromhex(link["secret"]), random.take(16)
        yield "contact " + cbor2.dumps({1: bytes.fromhex(link["id"]), 2: salt, 3: "ga"}).hex()
    else:
        salt = b""
        contents = {0: point(identity, PublicFormat.CompressedPoint), 1: secret, 2: 2, 3: 1700000000}
        if options["linking"] is not None:
            contents[4] = options["linking"]
        contents[5] = "ga"
        yield "code FIDO:/" + to_digits(cbor2.dumps(contents))

    plaintext = open_advert(derive(secret, salt, 1, 64), bytes.fromhex(next(lines)))
    if not link:
        domain = int.from_bytes(plaintext[14:], "little")
        routing, tunnel = plaintext[11:14].hex().upper(), derive(secret, b"", 2, 16).hex().upper()
        yield f"url wss://{host(domain)}/cable/connect/{routing}/{tunnel}"
    static = load(bytes.fromhex(link["key"])) if link else identity
    noise = Noise("NK", 0, point(static)) if link else Noise("KN", 1, point(static))
    noise.mix_psk(derive(secret, plaintext, 3, 32))
    noise.mix_point(point(ephemeral))
    if link:
        noise.mix_key(shared(ephemeral, static))
    yield "frame " + (point(ephemeral) + noise.seal()).hex()

    message = bytes.fromhex(next(lines))
    assert len(message) == 81
    peer = load(message[:65])
    noise.mix_point(message[:65])
    noise.mix_key(shared(ephemeral, peer))
    if not link:
        noise.mix_key(shared(identity, peer))
    noise.open(message[65:])
    own_key, phone_key = noise.expand(b"", 2)
    crypter = Crypter(own_key, phone_key, options["old"])

    text = crypter.open(bytes.fromhex(next(lines)))
    old_form = options["revision"] == "2.0"
    if old_form:
        assert len(text) % 512 == 0
        text = text[:len(text) - 2 - int.from_bytes(text[-2:], "little")]
    first = cbor2.loads(text)
    assert len(text) == len(cbor2.dumps(first))
    yield "info " + first[1].hex()
    linking = first.get(2)
    if options["linking"] and not link and not old_form:
        text = crypter.open(bytes.fromhex(next(lines)))
        assert text[0] == 2
        linking = cbor2.loads(text[1:])[1]
    if linking:
        assert linking[6] == mac(shared(identity, load(linking[4])), noise.hash), "the signature is wrong"
        yield "link " + json.dumps(
            {"contact": linking[1].hex(), "id": linking[2].hex(), "secret": linking[3].hex(), "key": linking[4].hex()})
    command = bytes.fromhex(options["command"])
    yield "frame " + crypter.seal(command if old_form else b"\x01" + command).hex()
    text = crypter.open(bytes.fromhex(next(lines)))
    assert old_form or text[0] == 1
    yield "answer " + (text if old_form else text[1:]).hex()
    if not old_form:
        yield "frame " + crypter.seal(b"\0").hex()


def values(options, lines, random):
    """The values of each line's secret and salt."""
    for line in lines:
        secret, salt, plaintext, number = line.split(" ")
        secret, salt, plaintext = (bytes.fromhex(text[1:]) for text in (secret, salt, plaintext))
        lengths = {1: 64, 2: 16, 3: 32, 4: 32, 5: 32, 6: 32}
        keys = [derive(secret, salt, purpose, length).hex() for purpose, length in lengths.items()]
        advert = seal_advert(derive(secret, salt, 1, 64), plaintext)
        yield " ".join([*keys, advert.hex(), "." + to_digits(secret + salt), host(int(number))])


def main():
    options = json.loads(sys.argv[1])
    role = {"phone": phone, "other": other_end, "values": values}[options["role"]]
    lines = iter(sys.stdin.read().split("\n")[:-1])
    answers = role(options, lines, Random(options.get("seed", "")))
    while True:
        try:
            print(next(answers))
        except StopIteration:
            return
        except RuntimeError as error:
            # The input has no further line.
            if isinstance(error.__cause__, StopIteration):
                return
            raise


main()
