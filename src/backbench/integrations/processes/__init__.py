"""Worker processes with limits: what is expensive, or reads what clients made, runs in a process that can be killed."""
