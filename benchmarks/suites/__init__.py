"""The parts of a run; each can be run alone."""
