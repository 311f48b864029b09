"""How a person sounds: in a prompt, beside others, in which language."""
