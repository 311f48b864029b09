"""The two commands of `dev.py`: `set_up.py` makes `.venv`, `commands.py` runs or tests the program.

Standard library only: this code runs before anything is installed.
"""
