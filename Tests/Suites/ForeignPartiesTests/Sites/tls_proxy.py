"""TLS in front of a server on loopback.

The argument is JSON: `port` is the server's, `authority` the file to write the certificate of the authority to, and `host`
the name in the proxy's certificate.
"""

import asyncio
import datetime
import json
import ssl
import sys
import tempfile
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PEM = serialization.Encoding.PEM


def certificate(name, key, issuer, issuer_key, extension):
    """A certificate for a day."""
    now = datetime.datetime.now(datetime.timezone.utc)
    day = datetime.timedelta(days=1)
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - day)
        .not_valid_after(now + day)
        .add_extension(extension, critical=isinstance(extension, x509.BasicConstraints))
        .sign(issuer_key, hashes.SHA256())
    )


def context(host, authority_file):
    """The server's side of TLS, with a certificate of a new authority."""
    authority_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
    authority_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "authority of a test")])
    authority = certificate(
        authority_name, authority_key, authority_name, authority_key, x509.BasicConstraints(ca=True, path_length=None)
    )
    Path(authority_file).write_bytes(authority.public_bytes(PEM))
    own = certificate(
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)]),
        key,
        authority_name,
        authority_key,
        x509.SubjectAlternativeName([x509.DNSName(host)]),
    )
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    with tempfile.NamedTemporaryFile() as file:
        private = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        file.write(private + own.public_bytes(PEM))
        file.flush()
        made.load_cert_chain(file.name)
    return made


async def copy(reader, writer):
    """Passes bytes on until one side ends."""
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()


async def main(options):
    async def serve(reader, writer):
        to_server = await asyncio.open_connection("127.0.0.1", options["port"])
        await asyncio.gather(copy(reader, to_server[1]), copy(to_server[0], writer), return_exceptions=True)

    tls = context(options.get("host", "localhost"), options["authority"])
    server = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    print(server.sockets[0].getsockname()[1], flush=True)
    # The end of standard input ends the program.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.buffer.read)


asyncio.run(main(json.loads(sys.argv[1])))
