"""Message templates: the message with which an estimate is sent to the client."""
