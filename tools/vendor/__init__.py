"""Vendored files of the web app: fetched by npm, checked, adapted and written with their hashes (`make vendor`)."""
