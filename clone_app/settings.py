"""What a user can set, each with its sentence. The Preferences page and `--help` come from here."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from clone_app.errors import CloneAppError, ProfileError


class Theme(StrEnum):
    """Which palette the window uses."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class AnswerStyle(StrEnum):
    """How far the clone may use its own words."""

    CHECKED = "checked"
    QUOTES = "quotes"
    FREE = "free"


class Hemisphere(StrEnum):
    """Whose seasons the user means."""

    HOME = "as in the home time zone"
    NORTHERN = "northern"
    SOUTHERN = "southern"


class WeekStart(StrEnum):
    """Which day the user's weeks begin on."""

    HOME = "as in the home time zone"
    MONDAY = "monday"
    SATURDAY = "saturday"
    SUNDAY = "sunday"


class Settings(BaseModel):
    """Hold one profile's settings. Domain code gets the values it needs, never this object."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    home_zone: str = Field(
        "UTC",
        title="Home time zone",
        description="Decides when a day begins and ends for entries that name no time zone.",
        json_schema_extra={"group": "You", "choices": "time zones"},
    )
    hemisphere: Hemisphere = Field(
        Hemisphere.HOME,
        title="Seasons",
        description="Whether “last summer” was around July or around January where you live.",
        json_schema_extra={"group": "You"},
    )
    week_start: WeekStart = Field(
        WeekStart.HOME,
        title="First day of the week",
        description="Where “this week” and “last week” begin.",
        json_schema_extra={"group": "You"},
    )
    answer_style: AnswerStyle = Field(
        AnswerStyle.CHECKED,
        title="Answers",
        description=(
            "Free: the model's words whatever their support, marked. Checked: the model's words where "
            "your entries support them, else your own words. Quotes (only my words): no model is asked. "
            "The memory dial in Chat begins here."
        ),
        json_schema_extra={"group": "Answers"},
    )
    sources_shown: int = Field(
        8,
        ge=3,
        le=20,
        title="Sources per answer",
        description="How many entries are looked at and listed beside an answer.",
        json_schema_extra={"group": "Answers"},
    )
    thorough: bool = Field(
        False,
        title="Look twice",
        description=(
            "A second round for the words of the best entries, and a closer look at the first thirty: "
            "finds a little more and takes longer."
        ),
        json_schema_extra={"group": "Answers"},
    )
    chat_model: str = Field(
        "",
        title="Language model file",
        description="A .gguf file to answer with; empty for the starter model that came along.",
        json_schema_extra={"group": "Models", "file": "*.gguf"},
    )
    context_tokens: int = Field(
        2048,
        ge=1024,
        le=32768,
        title="Context in tokens",
        description="How much the language model keeps in view; more takes more memory and time.",
        json_schema_extra={"group": "Models"},
    )
    threads: int = Field(
        0,
        ge=0,
        le=64,
        title="Processor cores for the model",
        description="0 uses all physical cores.",
        json_schema_extra={"group": "Models"},
    )
    embedder_folder: str = Field(
        "",
        title="Embedder folder",
        description=(
            "A downloaded sentence-transformers model that finds entries by meaning, such as "
            "multilingual-e5-small or bge-m3 for languages beside English; empty for the starter. "
            "The old one goes on finding while all entries are read anew."
        ),
        json_schema_extra={"group": "Models", "folder": "config.json"},
    )
    reranker_model: str = Field(
        "",
        title="Reranker folder",
        description=(
            "A downloaded cross-encoder that reads question and entry together when looking twice, "
            "such as bge-reranker-v2-m3 or Qwen3-Reranker-0.6B; empty for none."
        ),
        json_schema_extra={"group": "Models", "folder": "config.json"},
    )
    remote_server: str = Field(
        "",
        title="Server to answer with",
        description=(
            "The address of an OpenAI-compatible server (vLLM, Ollama, llama.cpp, a provider), such as "
            "http://localhost:8080/v1; empty for none. Questions, and the entries they are answered "
            "from, then go there. Before the first time you are shown what, and asked."
        ),
        json_schema_extra={"group": "A model on a server"},
    )
    remote_model: str = Field(
        "",
        title="Model on that server",
        description="Its name there; empty for the server's only one.",
        json_schema_extra={"group": "A model on a server"},
    )
    theme: Theme = Field(
        Theme.SYSTEM,
        title="Colours",
        description="Light, dark, or as the system is.",
        json_schema_extra={"group": "Window"},
    )
    text_size: int = Field(
        100,
        ge=75,
        le=250,
        title="Text size in percent",
        description="Scales all text in the window.",
        json_schema_extra={"group": "Window"},
    )


def known_zone(zone: str) -> str:
    """Return a time zone's name; raise `CloneAppError` for one nobody knows."""
    try:
        ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError) as fault:
        raise CloneAppError(
            f"“{zone}” is not a time zone. Write one like Europe/Berlin or America/New_York."
        ) from fault
    return zone


def load_settings(path: Path) -> Settings:
    """Return the settings in a file, defaults where it is absent; a value out of range is dropped."""
    try:
        raw: Any = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return Settings()  # that a profile can't be there, whoever makes it says better
    except (OSError, ValueError) as fault:
        raise ProfileError(
            f"The settings in {path} can't be read ({fault}). Delete that file to start from defaults."
        ) from fault
    if not isinstance(raw, dict):
        return Settings()
    try:
        return Settings(**raw)
    except ValidationError as fault:
        for error in fault.errors():
            raw.pop(str(error["loc"][0]), None)
        return Settings(**raw)


def save_settings(path: Path, settings: Settings) -> None:
    """Write the settings beside themselves and swap, so that a crash leaves the old ones whole."""
    fresh = path.with_suffix(".new")
    try:
        fresh.write_text(json.dumps(settings.model_dump(mode="json"), indent=2) + "\n", "utf-8")
        fresh.chmod(0o600)
        fresh.replace(path)
    except OSError as fault:
        raise ProfileError(
            f"The settings can't be saved in {path.parent} ({fault.strerror}). "
            "Make that folder writable or choose another profile."
        ) from fault
