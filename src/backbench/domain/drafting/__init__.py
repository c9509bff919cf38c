"""Drafting: texts written by a language model, and the checks they must pass before anyone sees them."""
