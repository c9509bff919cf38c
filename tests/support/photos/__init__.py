"""Photos: images that can be decoded, for tests of uploads."""
