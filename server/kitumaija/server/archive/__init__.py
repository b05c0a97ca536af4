"""Everything of a tournament that is over, in one file that proves itself.

What is in an archive is written here and read here; `checking/archived.py` proves one.
`server/docs/exports.md` says what lies in it.
"""
