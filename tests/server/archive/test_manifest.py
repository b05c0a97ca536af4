"""The manifest: its root, its signature, its one form."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from kitumaija.server.archive.fields import ArchiveError
from kitumaija.server.archive.manifest import (
    Listed,
    Manifest,
    make_manifest,
    manifest_from,
    manifest_text,
)
from kitumaija.server.archive.signing import Signer, is_signed
from kitumaija.wire.merkle import MerkleTree

FILES = [
    Listed("standings.csv", 3, hashlib.sha256(b"abc").digest()),
    Listed("matches.jsonl", 0, hashlib.sha256().digest()),
]


def made(*, secret: bytes = bytes(32)) -> Manifest:
    return make_manifest("cup", FILES, Signer(secret))


def test_the_key_is_that_of_rfc_8032() -> None:
    secret = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    signer = Signer(secret)

    assert signer.public_key.hex() == (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    )
    assert signer.sign(b"").hex().startswith("e5564300c360ac729086e2cc806e828a84877f1eb8e5d974")
    assert signer.fingerprint == hashlib.sha256(signer.public_key).digest()


def test_the_root_is_that_of_the_files_in_the_order_of_their_names() -> None:
    leaves = [
        len(one.name).to_bytes(4, "little")
        + one.name.encode()
        + one.size.to_bytes(8, "little")
        + one.sha256
        for one in reversed(FILES)
    ]

    assert made().root == MerkleTree(leaves).root
    signed = b"kitumaija/export/v1\x00" + b"\x03\x00\x00\x00cup" + made().root
    assert is_signed(made().public_key, made().signature, signed)


def test_what_is_written_is_read() -> None:
    assert manifest_from(manifest_text(made()).encode()) == made()


def test_a_signature_is_of_these_files_this_tournament_and_this_key_alone() -> None:
    manifest = made()
    assert manifest.signed
    others = [
        replace(manifest, tournament_id="cop"),
        replace(manifest, files=manifest.files[:1]),
        replace(manifest, public_key=Signer(bytes([1] * 32)).public_key),
        replace(manifest, public_key=b"short"),
        replace(manifest, signature=bytes(64)),
        replace(manifest, signature=b""),
    ]
    assert not any(other.signed for other in others)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "kitumaija-export/2"}, "format: got 'kitumaija-export/2'"),
        ({"root": "00"}, "root: got 00"),
        ({"fingerprint": "00"}, "fingerprint: got 00"),
        ({"more": 1}, "it is not in the form"),
        ({"files": []}, "root: got"),
        ({"files": [{"name": "a", "bytes": -1, "sha256": ""}]}, "files[0].bytes: got -1"),
        ({"public_key": "xy"}, "public_key: got 'xy', wanted hexadecimal digits"),
    ],
)
def test_another_form_is_refused_with_its_reason(change: dict[str, object], said: str) -> None:
    values = json.loads(manifest_text(made())) | change
    text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"

    with pytest.raises(ArchiveError, match=said.replace("[", r"\[")):
        manifest_from(text.encode())


@pytest.mark.parametrize("text", [b"", b"[]", b"\xff", b"[" * 100_000, b'{"format": 1}'])
def test_what_is_no_manifest_is_refused(text: bytes) -> None:
    with pytest.raises(ArchiveError):
        manifest_from(text)
