"""Transport: how long a client may take to send a request and to read its response."""
