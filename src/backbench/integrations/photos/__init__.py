"""Photos: decoded, turned upright, scaled down and written anew in a process with limits."""
