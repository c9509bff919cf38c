"""The commands of the host: each takes words, and gives back what it has to say."""
