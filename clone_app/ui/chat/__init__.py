"""Chat: questions, answers that show where they come from, and the entries beside them."""
