"""Whether a ZIP file is laid out as this server lays one out.

Programs read ZIP files in different ways: by the directory at the end or by the headers in between,
the first of two files of one name or the second. One that is laid out just so is the same to all of
them, so that what was verified is what is seen. What is compressed may be so in other ways; that
changes nothing of what comes out.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest date of a ZIP entry, and that of all of ours: when it was exported is no content."""

READABLE: Final = 0o644 << 16
UNIX: Final = 3

_LOCAL: Final = struct.Struct("<4s5H3L2H")
_CENTRAL: Final = struct.Struct("<4s4B4HL2L5H2L")
_END: Final = struct.Struct("<4s4H2LH")
_END64: Final = struct.Struct("<4sQ2H2L4Q")
_LOCATOR: Final = struct.Struct("<4sLQL")
_SIZES64: Final = struct.Struct("<2H2Q")
_DOS_DATE: Final = 1 << 5 | 1
_VERSIONS: Final = (20, 45)
_MOST_FILES: Final = 0xFFFF
_LARGE: Final = 0x7FFFFFFF


def entry(name: str) -> ZipInfo:
    """Return the entry of a file that is to be written."""
    made = ZipInfo(name, date_time=DATE)
    made.compress_type = ZIP_DEFLATED
    made.create_system = UNIX
    made.external_attr = READABLE
    return made


def strange(archive: ZipFile, raw: IO[bytes], size: int) -> Iterator[str]:
    """Yield what is not as this server lays a ZIP file out; `raw` is its bytes, `size` of them."""
    infos = archive.infolist()
    at = 0
    for info in infos:
        if info.header_offset != at:
            yield f"{info.filename} begins at byte {info.header_offset}, wanted {at}"
            return
        length = _local_header(raw, info)
        if length is None:
            yield f"the header of {info.filename} is not that of the directory"
            return
        at += length + info.compress_size
    first = at
    for info in infos:
        length = _central_header(raw, at, info)
        if length is None:
            yield f"the directory's entry of {info.filename} is another than a server writes"
            return
        at += length
    raw.seek(at)
    if raw.read(size - at + 1) != _ending(len(infos), first, at - first):
        yield "the end of the directory is another than a server writes"


def _local_header(raw: IO[bytes], info: ZipInfo) -> int | None:
    raw.seek(info.header_offset)
    fields = _unpacked(_LOCAL, raw)
    name = info.filename.encode()
    extra = _SIZES64.pack(1, _SIZES64.size - 4, info.file_size, info.compress_size)
    sizes = (info.compress_size, info.file_size)
    forms = [
        (*given, len(name), length)
        for given, length in ((sizes, 0), (sizes, len(extra)), ((2**32 - 1,) * 2, len(extra)))
    ]
    common = (0, ZIP_DEFLATED, 0, _DOS_DATE, info.CRC)
    if fields is None or fields[0] != b"PK\x03\x04" or fields[1] not in _VERSIONS:
        return None
    if fields[2:7] != common or fields[7:] not in forms:
        return None
    wanted = name + (extra if fields[10] else b"")
    return _LOCAL.size + len(wanted) if raw.read(len(wanted)) == wanted else None


def _central_header(raw: IO[bytes], at: int, info: ZipInfo) -> int | None:
    raw.seek(at)
    fields = _unpacked(_CENTRAL, raw)
    if fields is None or fields[0] != b"PK\x01\x02":
        return None
    versions, rest = (fields[1], fields[3]), (fields[2], *fields[4:10])
    if not set(versions) <= set(_VERSIONS) or rest != (
        *(UNIX, 0, 0, ZIP_DEFLATED, 0, _DOS_DATE, info.CRC),
    ):
        return None
    name = info.filename.encode()
    large = [
        value
        for value in (info.file_size, info.compress_size, info.header_offset)
        if value > _LARGE
    ]
    extra = struct.pack(f"<2H{len(large)}Q", 1, 8 * len(large), *large) if large else b""
    if fields[12:18] != (len(name), len(extra), 0, 0, 0, READABLE):
        return None
    wanted = name + extra
    return _CENTRAL.size + len(wanted) if raw.read(len(wanted)) == wanted else None


def _ending(files: int, first: int, length: int) -> bytes:
    """Return what follows the directory, which begins at byte `first` and has so many bytes."""
    if files <= _MOST_FILES and first <= _LARGE and length <= _LARGE:
        return _END.pack(b"PK\x05\x06", 0, 0, files, files, length, first, 0)
    return (
        _END64.pack(b"PK\x06\x06", 44, 45, 45, 0, 0, files, files, length, first)
        + _LOCATOR.pack(b"PK\x06\x07", 0, first + length, 1)
        + _END.pack(
            b"PK\x05\x06",
            *(0, 0, min(files, 0xFFFF), min(files, 0xFFFF)),
            *(min(length, 0xFFFFFFFF), min(first, 0xFFFFFFFF), 0),
        )
    )


def _unpacked(form: struct.Struct, raw: IO[bytes]) -> tuple[object, ...] | None:
    data = raw.read(form.size)
    return form.unpack(data) if len(data) == form.size else None
