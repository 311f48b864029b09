"""The clone: builds the prompt, lets the model write, and checks every sentence against its sources."""
