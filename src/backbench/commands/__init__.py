"""Commands: functions that Typer calls, each of which returns its output as a `CommandOutput`."""
