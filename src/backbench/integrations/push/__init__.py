"""Push messages: what is sent to the push services of browsers."""
