"""What changed: what an entry says has ended, told as then and now."""
