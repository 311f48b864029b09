"""What the persona document says of a person: drawn from their own entries."""
