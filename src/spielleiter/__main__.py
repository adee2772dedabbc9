"""Run the command ``spielleiter`` as ``python -m spielleiter``."""

from spielleiter.cli import main

if __name__ == "__main__":
    main(prog_name="spielleiter")
