"""``python -m spielleiter``: the same as the command ``spielleiter``."""

from spielleiter.cli import main

if __name__ == "__main__":
    main(prog_name="spielleiter")
