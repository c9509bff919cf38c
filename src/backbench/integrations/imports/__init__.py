"""Files to import: read in a process that can be killed."""
