"""From an empty window to an open profile, and back to nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from clone_app import paths
from clone_app.errors import DamagedError
from clone_app.memory.situations import Situation
from clone_app.profile import ProfileState
from clone_app.settings import Theme
from clone_app.ui import theme
from clone_app.ui.frame import PLACES, Frame
from clone_app.ui.messages import CrashDialog, MessageBar
from clone_app.ui.start.beginning import BeginningPage
from clone_app.ui.start.blocked import Blocked
from clone_app.ui.start.first import FirstStart
from clone_app.ui.start.unlock import Unlock
from clone_app.ui.window import Window
from clone_app.ui.workspace import LastQuestion

Waited = Callable[[Callable[[], bool]], None]
Open = Callable[..., Window]


@pytest.fixture
def core(fake: SimpleNamespace) -> SimpleNamespace:
    """A core on a new profile."""
    app = fake.App()
    app.profile = ProfileState.NEW
    return app  # type: ignore[no-any-return]


@pytest.fixture
def open_window(
    core: SimpleNamespace,
    dressed: QApplication,
    tmp_path: Path,
    waited: Waited,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Open]:
    """Open windows on the core and end them with the test."""
    monkeypatch.setattr(QApplication, "quit", staticmethod(lambda: None))
    monkeypatch.delenv("CLONE_APP_PASSPHRASE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("CLONE_APP_HOME", str(tmp_path / "profile"))
    windows: list[Window] = []

    def build(home: Path) -> SimpleNamespace:
        core.home = home
        return core

    def make(**options: object) -> Window:
        window = Window(home=tmp_path / "profile", build=build, **options)  # type: ignore[arg-type]
        windows.append(window)
        window.show()
        return window

    yield make
    for window in windows:
        jobs = window.jobs
        window.close()
        waited(lambda jobs=jobs: jobs is None or jobs._closed)  # type: ignore[misc]
        window.deleteLater()
    theme.apply(dressed, theme="light", text_size=100)


def current(window: Window, kind: type[QWidget]) -> bool:
    return isinstance(window.stack.currentWidget(), kind)


def fill(page: FirstStart, first: str, second: str) -> None:
    fields = {field.accessibleName(): field for field in page.findChildren(QLineEdit)}
    fields["Passphrase"].setText(first)
    fields["Passphrase once more"].setText(second)
    page._go.click()


def open_on(window: Window, waited: Waited) -> Frame:
    waited(lambda: current(window, Frame))
    assert window.frame is not None
    return window.frame


def test_a_new_profile_asks_for_folder_passphrase_and_zone_then_how_to_begin(
    core: SimpleNamespace, open_window: Open, waited: Waited, tmp_path: Path
) -> None:
    window = open_window()
    waited(lambda: current(window, FirstStart))
    page = window.stack.currentWidget()
    assert isinstance(page, FirstStart)
    assert page.home() == tmp_path / "profile"
    assert not any(choice.isVisible() for choice in page.findChildren(QRadioButton))
    fill(page, "correct horse battery", "correct horse battery")
    waited(lambda: current(window, BeginningPage))
    assert core.passphrase == "correct horse battery"
    assert core.settings.home_zone == page.zone()
    beginning = window.stack.currentWidget()
    assert isinstance(beginning, BeginningPage)
    beginning.own.click()
    frame = open_on(window, waited)
    assert frame.stack.currentWidget() is frame.pages["import"]


@pytest.mark.parametrize(
    ("first", "second", "sentence"),
    [
        ("", "", "The passphrase is empty. Think of four or five words."),
        ("one two", "one too", "The two passphrases differ. Type the second one again."),
        ("short", "short", "Choose a passphrase of at least 8 characters."),
    ],
)
def test_a_passphrase_that_will_not_do_is_said_beside_it(
    open_window: Open, waited: Waited, first: str, second: str, sentence: str
) -> None:
    window = open_window()
    waited(lambda: current(window, FirstStart))
    page = window.stack.currentWidget()
    assert isinstance(page, FirstStart)
    fill(page, first, second)
    waited(lambda: page.fault.text() == sentence)
    waited(page._go.isEnabled)
    assert current(window, FirstStart)


def test_where_a_keyring_works_it_can_keep_the_key_alone(
    core: SimpleNamespace, open_window: Open, waited: Waited
) -> None:
    core.keyring = True
    window = open_window()
    waited(lambda: current(window, FirstStart))
    page = window.stack.currentWidget()
    assert isinstance(page, FirstStart)
    choices = page.findChildren(QRadioButton)
    assert all(choice.isVisible() for choice in choices)
    next(choice for choice in choices if "alone" in choice.text()).click()
    page._go.click()
    waited(lambda: current(window, BeginningPage))
    assert core.passphrase is None


def test_another_folder_is_remembered_for_the_next_start(
    core: SimpleNamespace,
    open_window: Open,
    waited: Waited,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CLONE_APP_HOME")
    monkeypatch.setattr(paths, "_platform_home", lambda: tmp_path / "profile")
    window = open_window()
    moved: list[Path] = []
    window.home_changed.connect(moved.append)
    waited(lambda: current(window, FirstStart))
    page = window.stack.currentWidget()
    assert isinstance(page, FirstStart)
    page._folder.setText(str(tmp_path / "elsewhere"))
    fill(page, "correct horse battery", "correct horse battery")
    waited(lambda: current(window, BeginningPage))
    assert core.home == tmp_path / "elsewhere"
    assert moved == [tmp_path / "elsewhere"]
    waited(lambda: paths.default_home() == tmp_path / "elsewhere")
    paths.remember_home(tmp_path / "profile")
    assert paths.default_home() == tmp_path / "profile"


def test_the_sample_life_is_tried_in_the_chat(
    core: SimpleNamespace, open_window: Open, waited: Waited
) -> None:
    window = open_window()
    waited(lambda: current(window, FirstStart))
    page = window.stack.currentWidget()
    assert isinstance(page, FirstStart)
    fill(page, "correct horse battery", "correct horse battery")
    waited(lambda: current(window, BeginningPage))
    beginning = window.stack.currentWidget()
    assert isinstance(beginning, BeginningPage)
    beginning.sample.click()
    frame = open_on(window, waited)
    assert frame.stack.currentWidget() is frame.pages["chat"]
    waited(lambda: len(core.stored) == 3)


def test_the_sample_window_asks_nothing(
    core: SimpleNamespace, open_window: Open, waited: Waited
) -> None:
    window = open_window(sample=True)
    frame = open_on(window, waited)
    assert frame.stack.currentWidget() is frame.pages["chat"]
    waited(lambda: len(core.stored) == 3)
    assert len(core.passphrase) >= 24


def test_a_locked_profile_asks_for_its_passphrase_and_says_if_it_is_wrong(
    core: SimpleNamespace, open_window: Open, waited: Waited, qtbot: QtBot
) -> None:
    core.profile, core.passphrase = ProfileState.LOCKED, "correct horse"
    window = open_window()
    waited(lambda: current(window, Unlock))
    page = window.stack.currentWidget()
    assert isinstance(page, Unlock)
    page.field.setText("wrong horse")
    page.button.click()
    waited(lambda: page.fault.text() == "That passphrase does not open it. Try again.")
    waited(page.button.isEnabled)
    page.field.setText("correct horse")
    qtbot.keyClick(page.field, Qt.Key.Key_Return)
    open_on(window, waited)


def test_the_passphrase_of_the_environment_opens_a_locked_profile(
    core: SimpleNamespace,
    open_window: Open,
    waited: Waited,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    core.profile, core.passphrase = ProfileState.LOCKED, "correct horse"
    monkeypatch.setenv("CLONE_APP_PASSPHRASE", "correct horse")
    open_on(open_window(), waited)


def test_a_key_in_the_keyring_opens_without_a_question_and_goes_on_with_vectors(
    core: SimpleNamespace, open_window: Open, waited: Waited
) -> None:
    core.profile, core.pending = ProfileState.KEYED, 5
    open_on(open_window(), waited)
    waited(lambda: core.pending == 0)


def test_a_keyring_with_another_key_leads_to_the_passphrase(
    core: SimpleNamespace, open_window: Open, waited: Waited
) -> None:
    core.profile, core.passphrase = ProfileState.KEYED, "correct horse"
    window = open_window()
    waited(lambda: current(window, Unlock))
    page = window.stack.currentWidget()
    assert isinstance(page, Unlock)
    assert "does not open it" in page.fault.text()


def test_a_profile_that_is_open_elsewhere_is_a_sentence_and_can_be_tried_again(
    core: SimpleNamespace, open_window: Open, waited: Waited
) -> None:
    core.profile, core.locked_elsewhere = ProfileState.KEYED, True
    window = open_window()
    waited(lambda: current(window, Blocked))
    page = window.stack.currentWidget()
    assert isinstance(page, Blocked)
    assert page.sentence.text() == "This profile is open elsewhere. Close that one first."
    core.locked_elsewhere = False
    page.retry.click()
    open_on(window, waited)


def test_a_damaged_profile_is_a_sentence_too(
    core: SimpleNamespace, open_window: Open, waited: Waited, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged() -> ProfileState:
        raise DamagedError("The key file is missing. Put it back from a backup.")

    monkeypatch.setattr(core, "state", damaged)
    window = open_window()
    waited(lambda: current(window, Blocked))
    page = window.stack.currentWidget()
    assert isinstance(page, Blocked)
    assert page.sentence.text() == "The key file is missing. Put it back from a backup."


@pytest.fixture
def opened(core: SimpleNamespace, open_window: Open, waited: Waited) -> Window:
    """A window on an open profile."""
    core.profile = ProfileState.OPEN
    window = open_window()
    open_on(window, waited)
    return window


def test_every_page_is_one_shortcut_away(opened: Window, qtbot: QtBot) -> None:
    assert opened.frame is not None
    opened.activateWindow()
    for number, name in enumerate([place.name for place in PLACES], 1):
        qtbot.keyClick(opened, Qt.Key(Qt.Key.Key_0 + number), Qt.KeyboardModifier.ControlModifier)
        assert opened.frame.stack.currentWidget() is opened.frame.pages[name]
        assert opened.frame._buttons[name].isChecked()
        assert opened.frame._buttons[name].toolTip().endswith(f"(Ctrl+{number})")


def test_where_the_sidebar_would_take_a_quarter_it_shows_icons_until_asked(
    opened: Window, waited: Waited
) -> None:
    frame = opened.frame
    assert frame is not None
    assert not frame.menu.isVisible()
    assert frame._buttons["chat"].text() == "Chat"
    opened.resize(640, 600)
    waited(frame.menu.isVisible)
    assert frame._buttons["chat"].text() == ""
    assert frame._buttons["chat"].accessibleName() == "Chat"
    assert not frame.pages["chat"].conversations.isVisible()
    frame.menu.click()
    assert frame._buttons["chat"].text() == "Chat"
    assert frame.pages["chat"].conversations.isVisible()


def test_pages_are_made_when_they_are_first_shown(opened: Window) -> None:
    assert opened.frame is not None
    assert set(opened.frame.pages) == {"chat"}


def test_everything_a_key_can_reach_has_a_name_and_every_button_a_tooltip(
    opened: Window, core: SimpleNamespace, waited: Waited
) -> None:
    assert opened.frame is not None
    chat = opened.frame.pages["chat"]
    chat.ask("q")
    waited(lambda: chat.job is None and chat.sources.cards[0].isVisible())
    seen: set[str] = set()
    for name in ("chat", "memories", "import", "preferences"):
        opened.frame.go(name)
        for widget in opened.frame.findChildren(QWidget):
            tabbed = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible()
            inner = isinstance(widget.parent(), QComboBox | QSpinBox)
            if not tabbed or inner:
                continue
            seen.add(type(widget).__name__)
            assert widget.accessibleName() or getattr(widget, "text", str)(), (name, widget)
            if isinstance(widget, QPushButton):
                assert widget.toolTip(), (name, widget.text())
    assert {"QPushButton", "QuestionField", "AnswerView", "SourceCard", "QSpinBox"} <= seen


def test_no_tooltip_holds_a_persons_words_as_qt_would_read_them_as_markup(
    opened: Window, core: SimpleNamespace, fake: SimpleNamespace, waited: Waited
) -> None:
    hostile = "<img src=x>"
    assert opened.frame is not None
    assert opened.jobs is not None
    core.go_on.clear()
    opened.frame.go("import")
    imports = opened.frame.pages["import"]
    imports.take([Path(f"/archive/{hostile}")])
    waited(lambda: bool(opened.frame.status.rows()))
    assert hostile in opened.frame.status.rows()[0].title.text()
    core.go_on.set()
    waited(lambda: imports.preview is not None)
    imports.preview.go.click()
    waited(lambda: bool(imports.sources.cards))
    opened.frame.go("chat")
    chat = opened.frame.pages["chat"]
    chat.ask(hostile)
    waited(lambda: chat.job is None)
    for widget in opened.findChildren(QWidget):
        assert "<" not in widget.toolTip(), widget


def test_a_theme_and_a_text_size_take_effect_at_once(
    opened: Window, core: SimpleNamespace, waited: Waited, dressed: QApplication
) -> None:
    from clone_app.ui.jobs import Lane

    assert opened.frame is not None
    plain = dressed.font().pointSizeF()
    opened.frame.workspace.change_settings(lane=Lane.READING, theme="dark", text_size=200)
    waited(lambda: theme.colours().dark)
    assert core.settings.theme is Theme.DARK
    assert dressed.font().pointSizeF() == pytest.approx(plain * 2)


def test_a_fault_without_a_place_is_a_message_at_the_foot(
    opened: Window, core: SimpleNamespace
) -> None:
    assert opened.jobs is not None
    opened.jobs.failed.emit("The disk is full. Free some space.")
    bar = opened.findChild(MessageBar)
    assert bar.text() == "The disk is full. Free some space."


def test_our_own_fault_is_a_crash_report_and_the_window_lives(
    opened: Window, waited: Waited
) -> None:
    from clone_app.ui.jobs import Lane

    assert opened.jobs is not None
    opened.jobs.run(lambda _: 1 // 0, lane=Lane.READING)
    dialog = opened.findChild(CrashDialog)
    waited(dialog.isVisible)
    assert "ZeroDivisionError" in dialog.report.toPlainText()
    dialog.accept()
    assert opened.isVisible()


def test_a_source_opens_the_entry_over_the_page(
    opened: Window, core: SimpleNamespace, fake: SimpleNamespace, waited: Waited
) -> None:
    from clone_app.memory.store import Stored
    from clone_app.ui.memories.dialog import EntryDialog

    assert opened.frame is not None
    core.stored.append(Stored(7, fake.entry(1)))
    opened.frame.workspace.entry_wanted.emit(7, "harbour")
    waited(lambda: opened.frame is not None and opened.frame.findChild(EntryDialog) is not None)
    dialog = opened.frame.findChild(EntryDialog)
    waited(lambda: dialog.view.item is not None)
    assert dialog.view.highlighted() == "harbour"
    QDialog.reject(dialog)


def test_closing_stops_the_work_and_closes_the_core(
    opened: Window, core: SimpleNamespace, waited: Waited
) -> None:
    from clone_app.ui.jobs import Lane

    assert opened.jobs is not None
    core.go_on.clear()
    job = opened.jobs.run(core._wait, lane=Lane.WRITING, title="Importing")
    opened.close()
    assert not opened.isVisible()
    waited(core.closed.is_set)
    assert job.progress.cancelled
    assert opened.ended_well
    core.go_on.set()


def test_a_window_closed_on_the_start_page_closes_the_core_too(
    core: SimpleNamespace, open_window: Open, waited: Waited
) -> None:
    window = open_window()
    waited(lambda: current(window, FirstStart))
    window.close()
    waited(core.closed.is_set)


def test_a_second_start_brings_the_window_back(opened: Window) -> None:
    opened.showMinimized()
    opened.come_forward()
    assert opened.isVisible()
    assert not opened.isMinimized()


def test_a_sentence_for_the_user_is_a_message_at_the_foot(
    core: SimpleNamespace, open_window: Open, waited: Waited
) -> None:
    core.unsaid = "Much of it isn't in English. Choose another embedder."
    core.profile = ProfileState.OPEN
    window = open_window()
    open_on(window, waited)
    bar = window.findChild(MessageBar)
    waited(lambda: bar.text() == "Much of it isn't in English. Choose another embedder.")
    assert core.unsaid == ""


def test_situations_people_and_what_is_missing_are_looked_at_in_memories(
    opened: Window, core: SimpleNamespace, fake: SimpleNamespace, waited: Waited
) -> None:
    core.stored = fake.App(items=6).stored
    core.groups = [
        Situation(
            id=2, title="Harbour", first="2024-01-02", last="2024-01-04", people=(), items=3,
            opening="Walked",
        )
    ]  # fmt: skip
    frame = opened.frame
    assert frame is not None
    frame.workspace.situation_wanted.emit(core.groups[0])
    page = frame.pages["memories"]
    assert frame.stack.currentWidget() is page
    waited(lambda: page.situations.inside.rowCount() == 3)
    assert page.situations.title.text() == "Harbour"
    frame.go("chat")
    frame.workspace.person_wanted.emit("jane@example.org", "Jane")
    assert frame.stack.currentWidget() is page
    assert page.whose.currentText() == "With Jane"
    waited(lambda: page.bar.chips.texts() == ["With Jane"])
    frame.workspace.last_question = LastQuestion("Where was the boat?")
    frame.workspace.missing_wanted.emit()
    assert page.whose.currentText() == "By anybody"
    assert page.seek.isVisible()
