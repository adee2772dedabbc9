"""Say who meets whom, in which seats and from which position. Nothing here starts a program."""
