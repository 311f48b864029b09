"""The schema of the base, as numbered steps that each run in one transaction.

A base with steps this program doesn't know was made by a newer one: it is left untouched.
"""

from __future__ import annotations

from sqlite_utils import Database, Migrations

MIGRATIONS = Migrations("clone_app")


@MIGRATIONS(name="0001_start")
def _start(db: Database) -> None:
    """Create the first schema.

    An item's `key` is what the user sees and what answers cite; `source_key` with `body_hash` is
    what makes importing idempotent: one id with two bodies is two items. `starts_at` (microseconds
    since 1970, UTC) is derived from `local`, `offset` and the home zone, for cutting off and sorting.
    Passages hold offsets only; their text is in the full-text table. Ids of passages are never used
    again, so that a stale vector can't point at another passage.
    """
    for statement in _START.split(";;"):
        db.execute(statement)


_START = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);;
CREATE TABLE identities (name TEXT PRIMARY KEY);;
CREATE TABLE sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    importer TEXT NOT NULL, title TEXT NOT NULL, path TEXT NOT NULL,
    imported_at TEXT NOT NULL, finished INTEGER NOT NULL DEFAULT 0,
    UNIQUE (importer, path)
);;
CREATE TABLE problems (
    source_id INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    locator TEXT NOT NULL, reason TEXT NOT NULL
);;
CREATE INDEX problems_source ON problems(source_id);;
CREATE TABLE items (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE, source_key TEXT NOT NULL, body_hash TEXT NOT NULL,
    medium TEXT NOT NULL, local TEXT, precision TEXT NOT NULL, offset INTEGER, starts_at INTEGER,
    author TEXT NOT NULL, title TEXT NOT NULL, text TEXT NOT NULL, context TEXT NOT NULL,
    mine INTEGER NOT NULL, recipients TEXT NOT NULL, thread TEXT NOT NULL, labels TEXT NOT NULL,
    locator TEXT NOT NULL, meta_hash TEXT NOT NULL,
    UNIQUE (source_key, body_hash)
);;
CREATE INDEX items_starts_at ON items(starts_at);;
CREATE INDEX items_local ON items(local);;
CREATE TABLE item_sources (
    item_id INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
    source_id INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
    PRIMARY KEY (item_id, source_id)
) WITHOUT ROWID;;
CREATE INDEX item_sources_source ON item_sources(source_id);;
CREATE TABLE passages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    item_id INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE,
    number INTEGER NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
    own INTEGER NOT NULL, embedded INTEGER NOT NULL DEFAULT 0
);;
CREATE INDEX passages_item ON passages(item_id);;
CREATE INDEX passages_waiting ON passages(id) WHERE embedded = 0;;
CREATE VIRTUAL TABLE passage_words USING fts5(
    text, cjk, title, tokenize = 'porter unicode61 remove_diacritics 2'
);;
INSERT INTO passage_words(passage_words, rank) VALUES ('secure-delete', 1);;
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(passage_words, 'row');;
CREATE TABLE conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, started_at TEXT NOT NULL
);;
CREATE TABLE turns (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    question TEXT NOT NULL, asked_at TEXT NOT NULL, at TEXT,
    recipe TEXT NOT NULL, draft TEXT NOT NULL DEFAULT '', answer TEXT
);;
CREATE INDEX turns_conversation ON turns(conversation_id)
"""


@MIGRATIONS(name="0002_people")
def _people(db: Database) -> None:
    """Create the user's decisions about people; the people themselves are read from the items."""
    for statement in (
        "CREATE TABLE bonds (one TEXT NOT NULL, other TEXT NOT NULL, same INTEGER NOT NULL, "
        "PRIMARY KEY (one, other)) WITHOUT ROWID",
        "CREATE TABLE called (handle TEXT PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID",
    ):
        db.execute(statement)


@MIGRATIONS(name="0006_runs")
def _runs(db: Database) -> None:
    """Create the evaluation's runs: their lives, their questions, an answer a question and arm."""
    for statement in (
        "CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, plan TEXT NOT NULL, "
        "facts TEXT NOT NULL, state TEXT NOT NULL, note TEXT NOT NULL DEFAULT '', "
        "started_at TEXT NOT NULL, finished_at TEXT, total INTEGER NOT NULL)",
        "CREATE TABLE run_lives (run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, "
        "life TEXT NOT NULL, place INTEGER NOT NULL, body TEXT NOT NULL, "
        "PRIMARY KEY (run_id, life)) WITHOUT ROWID",
        "CREATE TABLE run_questions (run_id INTEGER NOT NULL REFERENCES runs(id) "
        "ON DELETE CASCADE, life TEXT NOT NULL, question TEXT NOT NULL, place INTEGER NOT NULL, "
        "body TEXT NOT NULL, PRIMARY KEY (run_id, life, question)) WITHOUT ROWID",
        "CREATE TABLE run_answers (run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE, "
        "life TEXT NOT NULL, question TEXT NOT NULL, arm TEXT NOT NULL, body TEXT NOT NULL, "
        "PRIMARY KEY (run_id, life, question, arm)) WITHOUT ROWID",
    ):
        db.execute(statement)


@MIGRATIONS(name="0010_sent")
def _sent(db: Database) -> None:
    """Create the list of what left the machine: when, to which host, what for, how many bytes."""
    db.execute(
        "CREATE TABLE sent (id INTEGER PRIMARY KEY, at TEXT NOT NULL, host TEXT NOT NULL, "
        "purpose TEXT NOT NULL, bytes INTEGER NOT NULL)"
    )


NAMES = frozenset({"0001_start", "0002_people", "0006_runs", "0010_sent"})
