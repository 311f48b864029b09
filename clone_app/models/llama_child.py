"""Run a GGUF model with llama.cpp: the child's side, the only place that imports llama_cpp.

The prompt is built with the file's own chat template, but what people wrote never passes through it
as template text: only the template's own words can become control tokens, so an imported mail that
holds `<|im_end|>` holds eleven harmless characters.
"""

from __future__ import annotations

import codecs
import contextlib
import json
import math
import re
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import jinja2
import llama_cpp
import numpy as np
from llama_cpp.llama_chat_format import Jinja2ChatFormatter

from clone_app.errors import Cancelled, ModelError
from clone_app.models import wire
from clone_app.models.child import Stop
from clone_app.models.cpu import physical_cores

BATCH = 512
TOP_K, TOP_P, MIN_P = 40, 0.95, 0.05
REPEAT_PENALTY = 1.1
"""Over the reply alone; without it the smallest models run in circles."""
REPLIES_REMEMBERED = 64
SLOW_TOKEN_SECONDS = 0.1
"""From here on one token is long enough to be worth stopping in its middle."""

SLOT = re.compile("\ue000(\\d+)\ue001")
PLAIN_TEMPLATE = (
    "{% for message in messages %}{{ message.role | capitalize }}: {{ message.content }}\n\n"
    "{% endfor %}Assistant:"
)
"""For a file without a template: a form of talk that any language model has read."""

_complaints: list[str] = []


def _hear_complaint(level: int, text: bytes, _: Any) -> None:
    """Keep the last errors of llama.cpp, which says in them what is wrong with a file."""
    if level == 4:  # GGML_LOG_LEVEL_ERROR
        _complaints.append(text.decode("utf-8", "replace").strip())
        del _complaints[:-5]


_ear = llama_cpp.llama_log_callback(_hear_complaint)  # must outlive every call of llama.cpp


class _Llama(llama_cpp.Llama):  # type: ignore[misc]
    """Count what is read, and stop in the middle of reading: both are missing upstream."""

    tokens_read = 0
    _stop: Stop | None = None

    def watch(self, stop: Stop | None) -> None:
        """Let llama.cpp ask `stop` between any two operations of its graph; None asks nobody.

        Some 600 questions a batch: nothing beside a prompt, an eighth of the time of a small model's
        single token.
        """
        self._stop = stop
        # The callback object must live as long as llama.cpp may call it.
        self._asker = (
            llama_cpp.ggml_abort_callback(lambda _: stop())
            if stop
            else llama_cpp.ggml_abort_callback()
        )
        llama_cpp.llama_set_abort_callback(self.ctx, self._asker, None)

    def eval(self, tokens: Sequence[int]) -> None:
        """Read tokens; raise `Cancelled` within an operation's time of a stop."""
        self.tokens_read += len(tokens)
        try:
            super().eval(tokens)
        except RuntimeError as fault:
            self._forget_unfinished()
            if self._stop is not None and self._stop():
                raise Cancelled from None
            raise ModelError(
                f"The language model could not go on reading ({fault}). "
                "Ask again, or choose another model in Preferences › Models."
            ) from fault

    def read(self, tokens: Sequence[int], *, fresh: bool = False) -> None:
        """Have just these tokens in the cache, reading no more than it doesn't hold."""
        held = 0
        for before, wanted in zip(self._input_ids, () if fresh else tokens, strict=False):
            if before != wanted:
                break
            held += 1
        memory = llama_cpp.llama_get_memory(self.ctx)
        if held and llama_cpp.llama_memory_seq_rm(memory, -1, held, -1):
            self.n_tokens = held
        else:
            self.reset()
            held = 0
        self.eval(list(tokens[held:]))

    def likelihood(self, last: int, option: Sequence[int]) -> float:
        """Return the mean log-probability of tokens after what is read and then `last`.

        Only these positions get logits, so nothing is paid for those of a long prompt. The cache is
        left as it was.
        """
        before = self.n_tokens
        memory = llama_cpp.llama_get_memory(self.ctx)
        self._batch.set_batch(batch=[last, *option[:-1]], n_past=before, logits_all=True)
        try:
            self._ctx.decode(self._batch)
            shape = (len(option), self._n_vocab)
            logits = np.ctypeslib.as_array(self._ctx.get_logits(), shape=(shape[0] * shape[1],))
            scores = logits.reshape(shape).astype(np.float64)
        finally:
            llama_cpp.llama_memory_seq_rm(memory, -1, before, -1)
            self._requires_eval = True
        top = scores.max(axis=1)
        sums = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
        return float((scores[np.arange(len(option)), option] - sums).mean())

    def _forget_unfinished(self) -> None:
        """Drop what an aborted batch left in the cache; all of it where a part can't be dropped."""
        memory = llama_cpp.llama_get_memory(self.ctx)
        if not llama_cpp.llama_memory_seq_rm(memory, -1, self.n_tokens, -1):
            self.reset()


class LlamaServed:
    """Hold one loaded model and the cache of what it has read."""

    def __init__(self, llama: _Llama) -> None:
        self._llama = llama
        self._vocabulary = llama_cpp.llama_model_get_vocab(llama.model)
        self._template = Jinja2ChatFormatter(
            template=llama.metadata.get("tokenizer.chat_template") or PLAIN_TEMPLATE,
            bos_token=self._word(llama.token_bos()),
            eos_token=self._word(llama.token_eos()),
        )
        self._said: OrderedDict[str, list[int]] = OrderedDict()
        self._usage: dict[str, Any] = {}

    def facts(self) -> dict[str, Any]:
        """Return the model's own name and how many tokens it holds."""
        return {
            "name": self._llama.metadata.get("general.name", ""),
            "context": self._llama.n_ctx(),
            "threads": self._llama.n_threads,
        }

    def usage(self) -> dict[str, Any]:
        """Return the last reply's numbers."""
        return self._usage

    def count(self, text: str) -> int:
        """Return how many tokens a text takes within a prompt."""
        return len(self._tokens(text))

    def likelihoods(self, request: wire.Likelihoods, stop: Stop) -> list[float]:
        """Return the mean log-probability of each option as the reply, its first tokens if it is long."""
        llama = self._llama
        prompt = self._prompt(request.messages)
        room = min(llama.n_ctx() - len(prompt), llama.n_batch)
        if room < 1:
            raise _too_long(len(prompt), llama.n_ctx())
        llama.watch(stop)
        try:
            llama.read(prompt[:-1])
            found = []
            for option in request.options:
                if stop():
                    raise Cancelled
                tokens = self._tokens(option)[:room]
                found.append(llama.likelihood(prompt[-1], tokens) if tokens else -math.inf)
        except RuntimeError:
            if stop():
                raise Cancelled from None
            raise
        finally:
            llama.watch(None)
        return found

    def embed(self, request: wire.Embed, stop: Stop) -> NoReturn:  # noqa: ARG002
        """Refuse: a language model gives no sentence vectors."""
        raise ModelError("This model writes and can't embed. Choose an embedder instead.")

    def stream(self, request: wire.Stream, stop: Stop) -> Iterator[str]:
        """Yield pieces of the reply as they are drawn, whole characters only."""
        llama = self._llama
        prompt = self._prompt(request.messages)
        room = llama.n_ctx() - len(prompt)
        if room < 1:
            raise _too_long(len(prompt), llama.n_ctx())
        self._usage = {"prompt_tokens": len(prompt)}
        llama.tokens_read = 0
        llama.set_seed(request.seed)
        llama.watch(stop)
        if request.fresh:
            llama.reset()
        begun = last = time.monotonic()
        reply: list[int] = []
        written = ""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        drawn = llama.generate(
            prompt,
            temp=request.temperature,
            top_k=TOP_K,
            top_p=TOP_P,
            min_p=MIN_P,
            repeat_penalty=REPEAT_PENALTY,
            grammar=_only(request.choices),
        )
        with contextlib.closing(drawn):
            try:
                for token in drawn:
                    now = time.monotonic()
                    if not reply:
                        self._usage["prompt_tokens_read"] = llama.tokens_read
                        self._usage["seconds_reading"] = now - begun
                        llama.watch(None)
                    elif now - last > SLOW_TOKEN_SECONDS:
                        llama.watch(stop)
                    last = now
                    if stop():
                        raise Cancelled
                    if llama_cpp.llama_vocab_is_eog(self._vocabulary, token):
                        break
                    reply.append(token)
                    piece = decoder.decode(llama.detokenize([token]))
                    if piece:
                        written += piece
                        yield piece
                    if len(reply) >= min(request.max_tokens, room):
                        break
                rest = decoder.decode(b"", final=True)
                if rest:
                    yield rest
            finally:
                llama.watch(None)
                self._remember(written + decoder.decode(b"", final=True), reply)
                self._usage["reply_tokens"] = len(reply)
                self._usage["seconds"] = time.monotonic() - begun

    def _prompt(self, messages: list[list[str]]) -> list[int]:
        """Return the tokens of a conversation, up to where the reply begins."""
        try:
            parts = self._render(messages)
        except (jinja2.TemplateError, ValueError):
            # Some templates know no system role, some insist on turns that alternate.
            messages = _folded(messages)
            try:
                parts = self._render(messages)
            except (jinja2.TemplateError, ValueError) as fault:
                raise ModelError(
                    f"The chat template in the model's file does not work ({fault}). "
                    "Choose another file in Preferences › Models."
                ) from fault
        tokens: list[int] = []
        for template_text, index in parts:
            if template_text:
                tokens += self._tokens(template_text, special=True)
            if index is not None:
                role, text = messages[index]
                said = self._said.get(text.strip()) if role == "assistant" else None
                tokens += said if said is not None else self._tokens(text)
        first = self._llama.token_bos()
        if llama_cpp.llama_vocab_get_add_bos(self._vocabulary) and tokens[:1] != [first]:
            tokens.insert(0, first)
        return tokens

    def _render(self, messages: list[list[str]]) -> list[tuple[str, int | None]]:
        """Return the template's words and, after each, the message that stands there."""
        slots = [
            {"role": role, "content": f"\ue000{index}\ue001"}
            for index, (role, _) in enumerate(messages)
        ]
        # enable_thinking: where a model can think aloud first, nobody waits for it here.
        text = self._template(messages=slots, enable_thinking=False).prompt
        pieces = SLOT.split(text)
        parts: list[tuple[str, int | None]] = [
            (words, int(index)) for words, index in zip(pieces[:-1:2], pieces[1::2], strict=True)
        ]
        if {index for _, index in parts} != set(range(len(messages))):
            raise ValueError("it leaves out a message")
        return [*parts, (pieces[-1], None)]

    def _remember(self, text: str, tokens: list[int]) -> None:
        """Keep how a reply was drawn: read back as text it might fall into other tokens.

        The next prompt holds it again, and only the same tokens are already in the cache.
        """
        if text.strip():
            self._said[text.strip()] = tokens
            self._said.move_to_end(text.strip())
            while len(self._said) > REPLIES_REMEMBERED:
                self._said.popitem(last=False)

    def _tokens(self, text: str, *, special: bool = False) -> list[int]:
        encoded = text.encode("utf-8", "replace")
        tokens: list[int] = self._llama.tokenize(encoded, add_bos=False, special=special)
        return tokens

    def _word(self, token: int) -> str:
        """Return a token's text, empty for one the vocabulary doesn't have."""
        if token < 0:
            return ""
        word: bytes = llama_cpp.llama_vocab_get_text(self._vocabulary, token)
        return word.decode("utf-8", "replace")


def _only(choices: Sequence[str]) -> llama_cpp.LlamaGrammar | None:
    """Return the grammar of which these replies alone are sentences; None lets any reply be."""
    if not choices:
        return None
    quoted = " | ".join(json.dumps(choice, ensure_ascii=False) for choice in choices)
    return llama_cpp.LlamaGrammar.from_string(f"root ::= {quoted}", verbose=False)


def _too_long(tokens: int, room: int) -> ModelError:
    return ModelError(
        f"The prompt takes {tokens} tokens and the language model holds {room}. "
        "Raise Context in Preferences › Models, or start a new conversation."
    )


def _folded(messages: list[list[str]]) -> list[list[str]]:
    """Return the messages with the system's words in the user's, and turns that alternate."""
    folded: list[list[str]] = []
    for role, text in messages:
        spoken = "user" if role == "system" else role
        if folded and folded[-1][0] == spoken:
            folded[-1][1] += "\n\n" + text
        else:
            folded.append([spoken, text])
    return folded


def load(options: dict[str, Any]) -> LlamaServed:
    """Load the file at `path` for `context` tokens on `threads` cores (0: all physical ones)."""
    path = Path(options["path"])
    threads = options["threads"] or physical_cores()
    _complaints.clear()
    llama_cpp.llama_log_set(_ear, None)
    try:
        llama = _Llama(
            str(path),
            n_ctx=options["context"],
            n_batch=min(BATCH, options["context"]),
            n_threads=threads,
            n_threads_batch=threads,
            use_mmap=True,
            use_mlock=False,
            verbose=False,
        )
    except (ValueError, RuntimeError, OSError, AssertionError) as fault:
        reason = next(iter(_complaints), str(fault))
        raise ModelError(
            f"{path.name} can't be loaded as a language model ({reason}). "
            "Choose another file in Preferences › Models."
        ) from fault
    if not llama_cpp.llama_model_has_decoder(llama.model):
        raise ModelError(
            f"{path.name} is a model that doesn't write. "
            "Choose another file in Preferences › Models."
        )
    return LlamaServed(llama)
