"""Reads an archive that somebody brings along: a ZIP file, or the folder that it was unpacked to.

Nothing in it is believed: names are looked up and never followed, sizes are bounds, and whatever a
reader of ZIP files raises for a damaged one is an `ArchiveError`.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from stat import S_ISREG
from typing import IO, Final, Protocol
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from kitumaija.server.archive import container, manifest
from kitumaija.server.archive.fields import ArchiveError
from kitumaija.server.archive.names import TOURNAMENT
from kitumaija.wire.record.binary import MAGIC as RECORD_MAGIC

WHOLE_MAX: Final = 256 * 1024 * 1024
"""The largest file that is read as a whole, in bytes."""

LINE_MAX: Final = 64 * 1024 * 1024
"""The longest line of a file of JSON lines, in bytes."""

_BROKEN: Final = (
    BadZipFile,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    struct.error,
    zlib.error,
)
"""What reading a ZIP file raises where it is damaged, or was never written by us."""

_WANTED: Final = (
    "wanted the ZIP file that `kitumaija tournament export` wrote, or the folder that it was "
    "unpacked to"
)

_HEAD = 16
"""How many bytes of a file that is none of ours are shown."""

_PIECE = 1 << 20
_ANCHORS: Final = (manifest.NAME, TOURNAMENT)
"""Of these an export has both, and what has neither is none."""

_PACKINGS: Final = (ZIP_STORED, ZIP_DEFLATED)


class Bundle(Protocol):
    """An archive that is open."""

    @property
    def names(self) -> Collection[str]:
        """The names of its files; whether one is among them is known at once."""
        ...

    def strange(self) -> Iterator[str]:
        """Yield what is strange about it beside the contents of its files."""
        ...

    def open(self, name: str) -> IO[bytes]:
        """Open one of its files."""
        ...


@contextmanager
def open_bundle(path: Path) -> Iterator[Bundle]:
    """Open an archive; raises `ArchiveError` for what is none, `OSError` where there is nothing."""
    if path.is_dir():
        # Looked for before the folder is walked through: it may be any, the whole disk too.
        if not any((path / name).exists() for name in _ANCHORS):
            raise ArchiveError(f"got a folder without {' and '.join(_ANCHORS)}; {_WANTED}")
        yield _Folder(path)
        return
    with path.open("rb") as raw:
        head = raw.read(_HEAD)
        try:
            archive = ZipFile(raw)
        except _BROKEN as error:
            raise _no_zip(head, error) from None
        with archive:
            bundle = _Zipped(archive, raw, os.fstat(raw.fileno()).st_size)
            if not any(name in bundle.names for name in _ANCHORS):
                raise ArchiveError(f"got a ZIP file without {' and '.join(_ANCHORS)}; {_WANTED}")
            yield bundle


def _no_zip(head: bytes, error: Exception) -> ArchiveError:
    """Say of a file that cannot be read as a ZIP file what it is, and what is to be done."""
    if head.startswith(RECORD_MAGIC):
        return ArchiveError(
            f"got the record of a match, which `kitumaija replay verify` checks; {_WANTED}"
        )
    if head.startswith(b"PK"):
        return ArchiveError(
            f"got a ZIP file that is cut off or damaged ({error}); {_WANTED}, whole: fetch it again"
        )
    got = f"a file that begins with {head!r}, which no ZIP file does" if head else "an empty file"
    return ArchiveError(f"got {got}; {_WANTED}")


def pieces(bundle: Bundle, name: str) -> Iterator[bytes]:
    """Yield a file's bytes; raises `ArchiveError` where they cannot be read."""
    with _opened(bundle, name) as file:
        while piece := file.read(_PIECE):
            yield piece


def whole(bundle: Bundle, name: str) -> bytes:
    """Return a file's bytes; raises `ArchiveError`."""
    with _opened(bundle, name) as file:
        data = file.read(WHOLE_MAX + 1)
    if len(data) > WHOLE_MAX:
        raise ArchiveError(f"{name}: it is larger than {WHOLE_MAX} bytes")
    return data


def lines(bundle: Bundle, name: str) -> Iterator[bytes]:
    """Yield a file's lines, with their line feeds; raises `ArchiveError`."""
    with _opened(bundle, name) as file:
        while found := file.readline(LINE_MAX + 1):
            if len(found) > LINE_MAX:
                raise ArchiveError(f"{name}: a line is longer than {LINE_MAX} bytes")
            yield found


@contextmanager
def _opened(bundle: Bundle, name: str) -> Iterator[IO[bytes]]:
    """Open a file, and say of what cannot be read in which file it is."""
    if name not in bundle.names:
        raise ArchiveError(f"{name}: it is missing")
    try:
        with bundle.open(name) as file:
            yield file
    except ArchiveError:
        raise
    except _BROKEN as error:
        said = str(error) or type(error).__name__
        raise ArchiveError(f"{name}: it cannot be read: {said}") from None


class _Zipped:
    """A ZIP file."""

    def __init__(self, archive: ZipFile, raw: IO[bytes], size: int) -> None:
        # Whatever its directory says, there cannot be more than this of it to be unpacked: of a
        # file in which entries lie over each other a small one would never come to an end.
        if sum(info.compress_size for info in archive.infolist()) > size:
            raise ArchiveError("its files lie over each other")
        self._archive = archive
        self._raw = raw
        self._size = size
        # The first of two: that there is a second makes it strange.
        self._infos: Mapping[str, ZipInfo] = {
            info.filename: info for info in reversed(archive.infolist())
        }

    @property
    def names(self) -> Collection[str]:
        return self._infos.keys()

    def strange(self) -> Iterator[str]:
        if len(self._infos) < len(self._archive.infolist()):
            yield "two of its files have one name"
        try:
            yield from container.strange(self._archive, self._raw, self._size)
        except _BROKEN as error:
            yield f"it cannot be read: {error}"

    def open(self, name: str) -> IO[bytes]:
        info = self._infos[name]
        if info.compress_type not in _PACKINGS:
            # The others may take gigabytes of memory for a few bytes.
            raise ArchiveError(f"{name}: it is packed in another way than a server packs")
        return self._archive.open(info)


class _Folder:
    """A folder; its subfolders are parts of names, and nothing in it is a link."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files: dict[str, Path] = {}
        self._strange: list[str] = []
        for folder, folders, files in os.walk(root):
            for name in (*folders, *files):
                path = Path(folder) / name
                mode = path.lstat().st_mode
                if S_ISREG(mode):
                    self._files[path.relative_to(root).as_posix()] = path
                elif name in files or path.is_symlink():
                    self._strange.append(f"{path.relative_to(root).as_posix()} is no plain file")

    @property
    def names(self) -> Collection[str]:
        return self._files.keys()

    def strange(self) -> Iterator[str]:
        yield from self._strange

    def open(self, name: str) -> IO[bytes]:
        return self._files[name].open("rb")
