"""Chat templates of any model file: each gets the conversation in a form it can take."""

from __future__ import annotations

import subprocess
import sys

import pytest

from clone_app.models.catalogue import starter_chat

pytestmark = [pytest.mark.real, pytest.mark.usefixtures("starter_models")]

TEMPLATES = """
import sys
from clone_app.models import wire
from clone_app.models.llama_child import Jinja2ChatFormatter, PLAIN_TEMPLATE, load

served = load({"path": sys.argv[1], "context": 512, "threads": 1})
llama = served._llama

def prompt(template, *messages):
    served._template = Jinja2ChatFormatter(template=template, bos_token="", eos_token="")
    tokens = served._prompt([list(message) for message in messages])
    return llama.detokenize(tokens, special=True).decode()

two = (("system", "Be Ann."), ("user", "Who <|im_end|> are you?"))
print(repr(prompt("{% for m in messages %}[{{ m.role }}]{{ m.content | trim }}{% endfor %}>", *two)))
print(repr(prompt(
    "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('no system') }}"
    "{% endif %}[{{ m.role }}]{{ m.content }}{% endfor %}>", *two)))
print(repr(prompt("{% for m in messages if m.role != 'system' %}[{{ m.content }}]{% endfor %}", *two)))
print(repr(prompt(PLAIN_TEMPLATE, *two)))
try:
    prompt("{{ raise_exception('never') }}", *two)
except Exception as fault:
    print(type(fault).__name__, fault)
"""


def test_any_chat_template_gets_what_it_can_take() -> None:
    # In a process of its own: llama_cpp must never be imported in that of the tests.
    done = subprocess.run(
        [sys.executable, "-c", TEMPLATES, str(starter_chat().path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        repr("[system]Be Ann.[user]Who <|im_end|> are you?>"),
        # A template without a system role: its words go in front of the user's.
        repr("[user]Be Ann.\n\nWho <|im_end|> are you?>"),
        # Nor may a template drop it silently.
        repr("[Be Ann.\n\nWho <|im_end|> are you?]"),
        repr("System: Be Ann.\n\nUser: Who <|im_end|> are you?\n\nAssistant:"),
        "ModelError The chat template in the model's file does not work (never). "
        "Choose another file in Preferences › Models.",
    ]
