"""Encryption and signatures of push messages, read by implementations that are not ours."""

import base64
import json
from typing import Any

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import ECKey

from backbench.connections import web_push

CURVE = ec.SECP256R1()


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def test_a_message_is_encrypted_as_in_the_example_of_the_standard() -> None:
    """RFC 8291, section 5 and appendix A."""
    body = web_push.encrypt(
        b"When I grow up, I want to be a watermelon",
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
        decoded("DGv6ra1nlYgDCS1FRnbzlw"),
        ec.derive_private_key(int.from_bytes(decoded("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big"), CURVE),
    )
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
        "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


@given(st.binary(max_size=3900), st.binary(min_size=16, max_size=16))
def test_another_implementation_reads_every_message(message: bytes, auth: bytes) -> None:
    key = ec.generate_private_key(CURVE)
    point = key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    body = web_push.encrypt(message, encoded(point), encoded(auth))
    assert http_ece.decrypt(body, private_key=key, auth_secret=auth, version="aes128gcm") == message
    # With 4,096 bytes a push service must do.
    assert len(body) <= 4096


def test_two_messages_share_neither_salt_nor_key() -> None:
    point = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
    one, other = (web_push.encrypt(b"the same", point, "BTBZMqHH6r4Tts7J_aSIgg") for _ in range(2))
    assert one[:16] != other[:16]
    assert one[21:86] != other[21:86]


def claims_of(header: str) -> dict[str, Any]:
    """The claims of the token, once its signature was checked with the key beside it."""
    scheme, _, rest = header.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    point = decoded(parts["k"])
    key = ECKey.import_key({"kty": "EC", "crv": "P-256", "x": encoded(point[1:33]), "y": encoded(point[33:])})
    token = jwt.decode(parts["t"], key, algorithms=["ES256"])
    return dict(token.claims)


def test_a_request_is_signed_for_its_service_and_half_a_day() -> None:
    key = web_push.new_key()
    endpoint = "https://push.example:8443/send/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV?x=1"
    header = web_push.authorization(key, endpoint, "mailto:office@example.com", 1_800_000_000)
    assert claims_of(header) == {
        "aud": "https://push.example:8443",
        "exp": 1_800_000_000 + 12 * 3600,
        "sub": "mailto:office@example.com",
    }
    protected = json.loads(decoded(header.partition("t=")[2].partition(".")[0]))
    assert protected == {"typ": "JWT", "alg": "ES256"}


def test_a_key_of_a_browser_is_a_point_of_the_curve() -> None:
    key = web_push.new_key()
    assert web_push.is_point(key.public_key)
    point = bytearray(decoded(key.public_key))
    point[-1] ^= 1
    assert not web_push.is_point(encoded(bytes(point)))
    assert not web_push.is_point(encoded(b"\x04" + bytes(64)))
