"""Encryption and signatures of push messages: RFC 8291 (aes128gcm), and VAPID of RFC 8292 (ES256).

Only the browser can read a message. The push service learns its length, its time and which installation sends it.
"""

import base64
import os
import struct
from typing import Any
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from backbench.connections.push import VapidKey
from backbench.values.numbers import to_json

_CURVE = ec.SECP256R1()
_BYTES = 32
# One record, which holds the whole message, as RFC 8291 asks.
_RECORD_BYTES = 4096
_TOKEN_SECONDS = 12 * 3600


def new_key() -> VapidKey:
    key = ec.generate_private_key(_CURVE)
    return VapidKey(_encoded(key.private_numbers().private_value.to_bytes(_BYTES, "big")), _encoded(_point(key)))


def is_point(text: str) -> bool:
    """Whether it is the key of a browser: a point of the curve, without which nothing can be encrypted for it."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, _decoded(text))
    except ValueError:
        return False
    return True


def encrypt(
    message: bytes,
    p256dh: str,
    auth: str,
    salt: bytes | None = None,
    key: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """The body of a request: the header of RFC 8188 and one record. `salt` and `key` are new for every message."""
    salt = salt or os.urandom(16)
    key = key or ec.generate_private_key(_CURVE)
    browser = _decoded(p256dh)
    secret = key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, browser))
    shared = _derived(secret, _decoded(auth), b"WebPush: info\0" + browser + _point(key), _BYTES)
    content_key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + struct.pack("!IB", _RECORD_BYTES, len(_point(key))) + _point(key)
    return header + AESGCM(content_key).encrypt(nonce, message + b"\x02", None)


def authorization(key: VapidKey, endpoint: str, contact: str, now: int) -> str:
    """The header of a request to the push service. `now` in seconds since 1970; `contact` is an address of the host."""
    parts = urlsplit(endpoint)
    claims = {"aud": f"{parts.scheme}://{parts.netloc}", "exp": now + _TOKEN_SECONDS, "sub": contact}
    signed = f"{_encoded_json({'typ': 'JWT', 'alg': 'ES256'})}.{_encoded_json(claims)}"
    private = ec.derive_private_key(int.from_bytes(_decoded(key.private_key), "big"), _CURVE)
    numbers = decode_dss_signature(private.sign(signed.encode(), ec.ECDSA(SHA256())))
    signature = b"".join(number.to_bytes(_BYTES, "big") for number in numbers)
    return f"vapid t={signed}.{_encoded(signature)}, k={key.public_key}"


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _encoded_json(value: dict[str, Any]) -> str:
    return _encoded(to_json(value))


def _encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4))
