"""PDF rendering of estimates with Typst, in separate processes."""
