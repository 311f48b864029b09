"""Import: drop or choose, look before importing, follow it, see what could not be read, remove."""
