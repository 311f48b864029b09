"""The program's values as JSON, in the forms the command line promises."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from clone_app.app import ImportReport, SourceRow, Stored
from clone_app.entries import Answer, Hit


def report_json(report: ImportReport) -> dict[str, Any]:
    """Return an import report."""
    packed = asdict(report)
    for name in ("problems", "skipped"):
        packed[name] = [
            {"locator": locator, "reason": reason} for locator, reason in getattr(report, name)
        ]
    return packed


def item_json(stored: Stored) -> dict[str, Any]:
    """Return an item."""
    item = stored.item
    return {
        "id": stored.id,
        "key": item.key,
        "medium": item.medium,
        "when": item.moment.iso(),
        "precision": str(item.moment.precision),
        "author": item.author,
        "mine": item.mine,
        "title": item.title,
        "text": item.text,
        "context": item.context,
        "recipients": list(item.recipients),
        "labels": list(item.labels),
        "locator": item.locator,
    }


def hit_json(hit: Hit) -> dict[str, Any]:
    """Return a found item with its best passage."""
    return {
        "key": hit.item.key,
        "when": hit.item.moment.iso(),
        "medium": hit.item.medium,
        "score": round(hit.score, 4),
        "passage": hit.passage,
    }


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return an answer with its sentences and sources."""
    return {
        "answer": answer.text,
        "sentences": [
            {
                "text": sentence.text,
                "supported": sentence.supported,
                "citations": list(sentence.citations),
            }
            for sentence in answer.sentences
        ],
        "sources": [
            {
                "key": source.key,
                "when": source.moment.iso(),
                "medium": source.medium,
                "quote": source.quote,
            }
            for source in answer.sources
        ],
        "parts": [
            {"text": part.text, "found": part.found, "citations": list(part.citations)}
            for part in answer.parts
        ],
        "abstained": answer.abstained,
        "mode": str(answer.mode),
        "memory": None if answer.dial is None else str(answer.dial),
        "reason": answer.reason,
        "times": [asdict(each) for each in answer.times],
        "people": [asdict(each) for each in answer.people],
        "filters": asdict(answer.filters),
        "model": answer.model,
        "seconds": round(answer.seconds, 3),
        "conversation": answer.conversation,
        "note": answer.note,
        "generated": True,
    }


def source_json(source: SourceRow) -> dict[str, Any]:
    """Return an imported source."""
    return asdict(source) | {"imported_at": source.imported_at.isoformat()}
