"""Benchmarks: Backbench compared with PocketBase and with bare ASGI applications, in one run (`make bench`)."""
