"""What the commands of authors and of organizers share: child processes, and text for a terminal.

The SDK and the server never import each other, and both stand on this. It needs nothing beyond the
standard library and knows nothing of the game or of the protocol.
"""
