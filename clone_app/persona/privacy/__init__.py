"""Who may hear what, what is left out, what is told nobody unasked."""
