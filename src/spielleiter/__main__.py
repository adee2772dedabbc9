"""Run the command ``spielleiter`` as ``python -m spielleiter``."""

import sys

from spielleiter.client.house import play_house_bot

if __name__ == "__main__":
    play_house_bot(sys.argv[1:])  # and end, if there is nothing else to do

    from spielleiter.cli import main

    main(prog_name="spielleiter")
