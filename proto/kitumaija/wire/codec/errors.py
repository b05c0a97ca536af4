"""The one error of the codec."""


class CodecError(ValueError):
    """A message, or a part of it, that stands for no value; the text says what was wanted."""
