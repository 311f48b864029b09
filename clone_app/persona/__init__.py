"""The clone: builds the prompt, lets the model write, checks each sentence against its sources."""
