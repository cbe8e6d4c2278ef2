"""Keys as Playwright writes them: DER in base64url."""

from __future__ import annotations

import base64

from ..errors import TouchstoneError


def encoded(data: bytes) -> str:
    """Unpadded base64url."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """The bytes of base64url, with or without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def new_private_key() -> str:
    """A new P-256 key in PKCS #8."""
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    return encoded(ec.generate_private_key(ec.SECP256R1()).private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))


def public_key_of(private_key: str) -> str:
    """The SubjectPublicKeyInfo of a key in PKCS #8."""
    from cryptography.hazmat.primitives import serialization

    try:
        key = serialization.load_der_private_key(decoded(private_key), None)
    except (ValueError, TypeError) as error:
        raise TouchstoneError(f"The private key is not PKCS #8 in base64url ({error}). Give a DER key without a password.")
    return encoded(key.public_key().public_bytes(
        serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo))
