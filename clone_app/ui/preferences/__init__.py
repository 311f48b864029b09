"""Preferences, generated from the settings: a new setting needs no line here."""
