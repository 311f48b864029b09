"""Read a question: what it wants, of when, what it takes for granted, what it goes on about."""
