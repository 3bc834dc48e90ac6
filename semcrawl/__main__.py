"""``python -m semcrawl``: the same as the command ``semcrawl``."""

from semcrawl.cli.main import main

if __name__ == "__main__":
    main()
