"""Set the program up in `.venv` and start it, or run its whole test suite.

    python3 packaging/dev.py run [arguments for clone-app]
    python3 packaging/dev.py test [arguments for pytest]

Standard library only. What is done lies in the folder `starting`; this file only makes sure that an
old Python says a sentence instead of a syntax error, so it must stay readable for any Python.
"""

import sys


def age_complaint(version):  # type: ignore[no-untyped-def]
    """Return the sentence for a Python that is too old, nothing for one that will do."""
    if version >= (3, 11):
        return ""
    told = "Python %d.%d is too old for this program: " % version  # noqa: UP031
    return told + "install Python 3.11 or newer and start this with it."


if __name__ == "__main__":
    if age_complaint(sys.version_info[:2]):
        sys.exit(age_complaint(sys.version_info[:2]))

    from starting.commands import main

    sys.exit(main(sys.argv[1:]))
