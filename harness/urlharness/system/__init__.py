"""Files and processes of the operating system. It imports the standard library only."""
