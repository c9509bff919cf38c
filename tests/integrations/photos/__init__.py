"""Photos that are decoded and written anew."""
