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


@MIGRATIONS(name="0004_log")
def _log(db: Database) -> None:
    """Create the list of what was found for an answer; turns and items take their part along.

    With it an index from which names and media can be read without the items' texts.
    """
    for statement in (
        "CREATE TABLE finds (turn_id INTEGER NOT NULL REFERENCES turns(id) ON DELETE CASCADE, "
        "item_id INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE, "
        "place INTEGER NOT NULL, found TEXT NOT NULL, PRIMARY KEY (turn_id, item_id)) WITHOUT ROWID",
        "CREATE INDEX finds_item ON finds(item_id)",
        "CREATE INDEX items_names ON items(author, recipients, mine, medium)",
    ):
        db.execute(statement)


@MIGRATIONS(name="0005_persona")
def _persona(db: Database) -> None:
    """Create the persona document: its lines, what they rest on, what is forgotten or private.

    A line goes with an item that gave it its words (bit 1 of `vital`), or when fewer items are left
    than it needs; a wording that only waits to be accepted (bit 2) goes alone. As triggers, since
    items are taken out in more than one place. `mark` is the hash of what a line is about, all that
    stays of one the user deleted.
    """
    for statement in (
        "CREATE TABLE persona_lines (id INTEGER PRIMARY KEY AUTOINCREMENT, mark TEXT NOT NULL UNIQUE, "
        "section TEXT NOT NULL, text TEXT NOT NULL, built TEXT NOT NULL, offered TEXT, refused TEXT, "
        "state TEXT NOT NULL, private INTEGER NOT NULL, needed INTEGER NOT NULL, "
        "place INTEGER NOT NULL)",
        "CREATE TABLE persona_supports ("
        "line_id INTEGER NOT NULL REFERENCES persona_lines(id) ON DELETE CASCADE, "
        "item_id INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE, "
        "vital INTEGER NOT NULL, PRIMARY KEY (line_id, item_id)) WITHOUT ROWID",
        "CREATE INDEX persona_supports_item ON persona_supports(item_id)",
        "CREATE TRIGGER persona_line_forgotten AFTER DELETE ON persona_supports BEGIN "
        "UPDATE persona_lines SET offered = NULL WHERE id = old.line_id AND old.vital & 2; "
        "DELETE FROM persona_lines WHERE id = old.line_id AND state <> 'deleted' AND (old.vital & 1 "
        "OR (SELECT count(*) FROM persona_supports WHERE line_id = old.line_id) < needed); END",
        "CREATE TABLE persona_forgotten (topic TEXT PRIMARY KEY) WITHOUT ROWID",
        "CREATE TABLE private_marks (kind TEXT NOT NULL, name TEXT NOT NULL, "
        "PRIMARY KEY (kind, name)) WITHOUT ROWID",
    ):
        db.execute(statement)


@MIGRATIONS(name="0003_situations")
def _situations(db: Database) -> None:
    """Create what keeps which item belongs to which situation, named by the number of its first item.

    The state's `until` (microseconds as in `items`) is the time from which on items must be placed
    again: what comes after depends on what stood before. Items that go or move set it back.
    """
    for statement in (
        "CREATE TABLE situation_items (item_id INTEGER PRIMARY KEY REFERENCES items(id) "
        "ON DELETE CASCADE, situation INTEGER NOT NULL, starts_at INTEGER NOT NULL)",
        "CREATE INDEX situation_items_members ON situation_items(situation, starts_at)",
        "CREATE INDEX situation_items_time ON situation_items(starts_at, situation)",
        "CREATE TABLE situation_state (made_by TEXT NOT NULL, until INTEGER NOT NULL)",
        "CREATE TRIGGER situation_item_gone AFTER DELETE ON situation_items BEGIN "
        "UPDATE situation_state SET until = min(until, old.starts_at); END",
        "CREATE TRIGGER situation_item_moved AFTER UPDATE OF starts_at, meta_hash, body_hash ON "
        "items WHEN old.starts_at IS NOT new.starts_at OR old.meta_hash IS NOT new.meta_hash "
        "OR old.body_hash IS NOT new.body_hash BEGIN "
        "DELETE FROM situation_items WHERE item_id = new.id; END",
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


@MIGRATIONS(name="0007_watched")
def _watched(db: Database) -> None:
    """Create the sources that are watched, and what is no longer where they lie.

    `signature` stands for the paths, sizes and times of a source's files when they were last read,
    empty for never; `fault` says why they could not be read then.
    """
    for statement in (
        "CREATE TABLE watched (source_id INTEGER PRIMARY KEY REFERENCES sources(id) "
        "ON DELETE CASCADE, signature TEXT NOT NULL DEFAULT '', fault TEXT NOT NULL DEFAULT '')",
        "CREATE TABLE gone_items (source_id INTEGER NOT NULL REFERENCES sources(id) "
        "ON DELETE CASCADE, item_id INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE, "
        "PRIMARY KEY (source_id, item_id)) WITHOUT ROWID",
        "CREATE INDEX gone_items_item ON gone_items(item_id)",
    ):
        db.execute(statement)


@MIGRATIONS(name="0008_mailboxes")
def _mailboxes(db: Database) -> None:
    """Create the mail accounts (never their passwords) and how far each folder was read."""
    for statement in (
        "CREATE TABLE mailboxes (source_id INTEGER PRIMARY KEY REFERENCES sources(id) "
        "ON DELETE CASCADE, host TEXT NOT NULL, port INTEGER NOT NULL, user TEXT NOT NULL, "
        "security TEXT NOT NULL)",
        "CREATE TABLE mailbox_folders (source_id INTEGER NOT NULL REFERENCES mailboxes(source_id) "
        "ON DELETE CASCADE, name TEXT NOT NULL, validity INTEGER NOT NULL, uid INTEGER NOT NULL, "
        "PRIMARY KEY (source_id, name)) WITHOUT ROWID",
    ):
        db.execute(statement)


@MIGRATIONS(name="0010_sent")
def _sent(db: Database) -> None:
    """Create the list of what left the machine: when, to which host, what for, how many bytes."""
    db.execute(
        "CREATE TABLE sent (id INTEGER PRIMARY KEY, at TEXT NOT NULL, host TEXT NOT NULL, "
        "purpose TEXT NOT NULL, bytes INTEGER NOT NULL)"
    )


@MIGRATIONS(name="0011_tests")
def _tests(db: Database) -> None:
    """Create the questions about the user's own archive, with the items whose words are in them.

    A question goes with any of its items. So do all runs over the own archive with any item at all:
    their answers may quote it.
    """
    for statement in (
        "CREATE TABLE own_tests (id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL)",
        "CREATE TABLE own_test_items (test_id INTEGER NOT NULL REFERENCES own_tests(id) "
        "ON DELETE CASCADE, item_id INTEGER NOT NULL REFERENCES items(id) ON DELETE CASCADE, "
        "PRIMARY KEY (test_id, item_id)) WITHOUT ROWID",
        "CREATE INDEX own_test_items_item ON own_test_items(item_id)",
        "CREATE TRIGGER own_test_gone AFTER DELETE ON own_test_items BEGIN "
        "DELETE FROM own_tests WHERE id = old.test_id; END",
        "CREATE TRIGGER own_run_gone AFTER DELETE ON items BEGIN DELETE FROM runs WHERE id IN "
        "(SELECT run_id FROM run_lives WHERE life = 'me'); END",
    ):
        db.execute(statement)


@MIGRATIONS(name="0012_unsent")
def _unsent(db: Database) -> None:
    """Note which lines of that list came to nothing, since no connection came about."""
    db.execute("ALTER TABLE sent ADD COLUMN failed INTEGER NOT NULL DEFAULT 0")


@MIGRATIONS(name="0013_changed")
def _changed(db: Database) -> None:
    """Mark with a new random word whenever items, or who is who, change: what was read is read anew.

    Random rather than counted, so that no mark comes back after a transaction is rolled back.
    """
    db.execute("INSERT OR REPLACE INTO facts VALUES ('changed', hex(randomblob(8)))")
    for table in ("items", "identities", "bonds", "called"):
        for happens in ("INSERT", "UPDATE", "DELETE"):
            db.execute(
                f"CREATE TRIGGER {table}_{happens.lower()}_marked AFTER {happens} ON {table} BEGIN "
                "UPDATE facts SET value = hex(randomblob(8)) WHERE name = 'changed'; END"
            )


NAMES = frozenset(
    {
        "0001_start",
        "0002_people",
        "0003_situations",
        "0004_log",
        "0005_persona",
        "0006_runs",
        "0007_watched",
        "0008_mailboxes",
        "0010_sent",
        "0011_tests",
        "0012_unsent",
        "0013_changed",
    }
)
