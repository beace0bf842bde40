"""An authority of a test's own, and what it has signed: for 127.0.0.1, and for a client."""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

Key = ec.EllipticCurvePrivateKey


def write_certificates(folder: Path) -> None:
    """Writes ca.pem, server.pem with server.key, and client.pem with client.key."""
    authority = ec.generate_private_key(ec.SECP256R1())
    _write(folder / "ca.pem", _certificate("authority", authority, authority))
    for name in ("server", "client"):
        key = ec.generate_private_key(ec.SECP256R1())
        _write(folder / f"{name}.pem", _certificate(name, key, authority))
        (folder / f"{name}.key").write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )


def _certificate(name: str, key: Key, signer: Key) -> x509.Certificate:
    today = datetime.now(UTC)
    is_authority = key is signer
    builder = (
        x509.CertificateBuilder()
        .subject_name(_make_name(name))
        .issuer_name(_make_name("authority"))
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    if not is_authority:
        addresses = [x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = builder.add_extension(x509.SubjectAlternativeName(addresses), critical=False)
    return builder.sign(signer, hashes.SHA256())


def _make_name(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _write(file: Path, certificate: x509.Certificate) -> None:
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
