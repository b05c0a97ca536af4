"""What both ends of the protocol share: values to messages and back, and the course of a stream.

Only this package knows both the engine's values and the messages of `kitumaija.v1`. It opens no
socket and reads no clock.
"""
