"""Responses that are sent in pieces: their generators, and the end of them when the client disconnects."""
