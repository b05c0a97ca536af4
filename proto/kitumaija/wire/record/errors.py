"""The one error of reading records."""


class RecordFormatError(ValueError):
    """What was read is no record; the text tells where, what was got and what was wanted."""
