"""The shapes of what the API takes and gives, as JSON Schema."""

from __future__ import annotations

from typing import Any

__all__ = ["SHAPES"]

_TEXT: dict[str, Any] = {"type": "string"}
_URL: dict[str, Any] = {"type": "string", "format": "uri"}
_NUMBER: dict[str, Any] = {"type": "number"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_YES: dict[str, Any] = {"type": "boolean"}
_THING: dict[str, Any] = {"type": "object"}


def _maybe(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


def _list(schema: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": schema}


def _object(needed: dict[str, Any], **optional: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(needed), "properties": {**needed, **optional}}


_LINK = _object({"url": _URL}, title=_TEXT, relevance=_NUMBER, priority=_NUMBER, dropped=_TEXT)
_STEP = _object(
    {
        "url": _URL,
        "title": _maybe(_TEXT),
        "relevance": _maybe(_NUMBER),
        "priority": _maybe(_NUMBER),
    }
)
_MATCHES = {
    "score": _NUMBER,
    "similarity": _TEXT,
    "matches": _list(
        _object(
            {
                "words": _list(_TEXT),
                "concept": _maybe(_TEXT),
                "label": _TEXT,
                "topic": _TEXT,
                "weight": _NUMBER,
                "count": _COUNT,
                "contribution": _NUMBER,
                "path": _list(_TEXT),
            }
        )
    ),
    "matches_total": _COUNT,
    "divided_by": _list(_object({"name": _TEXT, "value": _NUMBER})),
    "squashed": _YES,
}
_OWN_THING = _object(
    {"id": _maybe(_TEXT), "types": _list(_TEXT), "says": _list(_THING)}, number=_COUNT
)
_OWN = _object(
    {
        "count": _COUNT,
        "shown": _COUNT,
        "problems": _list(_TEXT),
        "things": _list(_OWN_THING),
        "more": _COUNT,
    }
)
_STATE = {"type": "string", "enum": ["running", "paused", "stopped"]}
_PROGRESS = _object(
    {
        "pages": _COUNT,
        "relevant": _COUNT,
        "harvest_rate": _NUMBER,
        "waiting": _COUNT,
        "dropped": _COUNT,
        "hosts": _COUNT,
        "pages_per_second": _NUMBER,
    }
)

SHAPES: dict[str, Any] = {
    "Error": _object({"error": _TEXT}, line=_COUNT, column=_COUNT),
    "Wish": _object({"action": {"type": "string", "enum": ["pause", "resume", "stop"]}}),
    "State": _object({"state": _STATE, "reason": _TEXT}),
    "Crawl": _object(
        {
            "name": _TEXT,
            "topic": _TEXT,
            "folder": _TEXT,
            "state": _STATE,
            "reason": _TEXT,
            "started": _TEXT,
            "ended": _maybe(_TEXT),
            "threshold": _NUMBER,
            "window": _COUNT,
            "settings": _THING,
            "kind": {"type": "string", "enum": ["pages", "sites"]},
            "progress": _PROGRESS,
            "can": _object(
                {
                    "control": _YES,
                    "explain": {"type": "string", "enum": ["replay", "network"]},
                    "taxonomy": _YES,
                    "mark": _YES,
                }
            ),
            "snapshot": _object({"number": _COUNT, "taken_at": _NUMBER, "is_live": _YES}),
        }
    ),
    "Monitor": _object(
        {
            "first": _COUNT,
            "relevances": _list(_maybe(_NUMBER)),
            "threshold": _NUMBER,
            "window": _COUNT,
            "alarms": _list(
                _object({"kind": _TEXT, "raised": _COUNT, "ended": _maybe(_COUNT), "note": _TEXT})
            ),
            "errors": _list(_object({"reason": _TEXT, "urls": _COUNT})),
            "census": _list(_object({"concept": _TEXT, "label": _TEXT, "pages": _COUNT})),
            "times": _list(_list(_NUMBER)),
        }
    ),
    "Table": _object(
        {
            "columns": _list(_TEXT),
            "rows": _list(_THING),
            "total": _COUNT,
            "offset": _COUNT,
            "limit": _COUNT,
            "sort": _TEXT,
            "descending": _YES,
        }
    ),
    "Page": _object(
        {
            "url": _URL,
            "title": _maybe(_TEXT),
            "description": _maybe(_TEXT),
            "language": _maybe(_TEXT),
            "relevance": _NUMBER,
            "is_relevant": _YES,
            "step": _COUNT,
            "status": _maybe(_COUNT),
            "size": _maybe(_COUNT),
            "fetched_at": _maybe(_TEXT),
            "depth": _maybe(_COUNT),
            "site": _maybe(_TEXT),
            "host": _maybe(_TEXT),
            "concept": _maybe(_TEXT),
            "label": _maybe(_TEXT),
            "fetch_priority": _maybe(_NUMBER),
            "hub_score": _maybe(_NUMBER),
            "authority_score": _maybe(_NUMBER),
            "path": _list(_STEP),
            "links_out": _list(_LINK),
            "links_in": _list(_LINK),
            "statements": _COUNT,
            "own": _OWN,
            "counts": _object({"links_out": _COUNT, "links_in": _COUNT}),
        }
    ),
    "Url": _object({"url": _URL}),
    "Explanation": _object(
        {
            "url": _URL,
            "title": _maybe(_TEXT),
            "relevance": _NUMBER,
            "judge": _TEXT,
            **_MATCHES,
            "snippet": _list(_object({"text": _TEXT, "match": _YES})),
            "changed": _YES,
        }
    ),
    "SiteExplanation": _object(
        {
            "url": _URL,
            "title": _maybe(_TEXT),
            "relevance": _NUMBER,
            "judge": _TEXT,
            "classes": _list(_object({"name": _TEXT, "confidence": _NUMBER})),
            "site": _object(
                {
                    "name": _TEXT,
                    "confidence": _NUMBER,
                    "verdict": _TEXT,
                    "pages": _COUNT,
                    "prior": _NUMBER,
                    "number": _COUNT,
                    "before": _NUMBER,
                    "after": _NUMBER,
                }
            ),
            "has_words": _YES,
            "lens": _maybe(
                _object(
                    {
                        "threshold": _NUMBER,
                        "words": _COUNT,
                        "explanation": _maybe(_object(_MATCHES)),
                        "changed": _YES,
                    }
                )
            ),
        }
    ),
    "Picture": _object(
        {
            "nodes": _list(
                _object(
                    {
                        "id": _TEXT,
                        "label": _TEXT,
                        "kind": {
                            "type": "string",
                            "enum": ["page", "waiting", "dropped", "unknown", "site"],
                        },
                        "relevance": _maybe(_NUMBER),
                        "hub": _maybe(_NUMBER),
                        "size": _maybe(_COUNT),
                    }
                )
            ),
            "edges": _list(_object({"source": _TEXT, "target": _TEXT, "weight": _NUMBER})),
            "left_out": _COUNT,
        }
    ),
    "Topic": _object(
        {
            "name": _TEXT,
            "keywords": _list(_object({"text": _TEXT, "weight": _NUMBER})),
            "concepts": _list(
                _object(
                    {
                        "id": _TEXT,
                        "label": _TEXT,
                        "parent": _maybe(_TEXT),
                        "weight": _maybe(_NUMBER),
                        "pages": _COUNT,
                        "relevant": _COUNT,
                        "good": _YES,
                        "best": _maybe(_object({"url": _URL, "relevance": _NUMBER})),
                    }
                )
            ),
            "coverage": _object({"concepts": _COUNT, "covered": _COUNT, "share": _maybe(_NUMBER)}),
        }
    ),
    "Taxonomy": _object(
        {
            "model": _TEXT,
            "categories": _list(
                _object(
                    {
                        "id": _TEXT,
                        "name": _TEXT,
                        "label": _TEXT,
                        "path": _TEXT,
                        "parent": _maybe(_TEXT),
                        "good": _YES,
                        "examples": _COUNT,
                        "pages": _COUNT,
                        "relevant": _COUNT,
                    }
                )
            ),
        }
    ),
    "Document": _object({}, url=_URL, text=_TEXT),
    "Classified": _object(
        {
            "categories": _list(
                _object({"category": _TEXT, "path": _TEXT, "probability": _NUMBER, "good": _YES})
            ),
            "relevance": _maybe(_NUMBER),
        }
    ),
    "Mark": _object({"category": _TEXT, "good": _YES}),
    "Marked": _object({"category": _TEXT, "good": _YES, "marked": _list(_TEXT), "note": _TEXT}),
    "Queries": _list(
        _object(
            {
                "name": _TEXT,
                "title": _TEXT,
                "help": _TEXT,
                "text": _TEXT,
                "parameters": _list(
                    _object({"name": _TEXT, "type": _TEXT, "default": _maybe(_TEXT), "help": _TEXT})
                ),
            }
        )
    ),
    "Question": _object({}, name=_TEXT, parameters=_THING, text=_TEXT),
    "Answer": _object(
        {"kind": _TEXT, "truncated": _YES, "limit": _COUNT, "seconds": _NUMBER, "text": _TEXT},
        prefixes=_THING,
        variables=_list(_TEXT),
        rows=_list(_list(_maybe(_THING))),
        numeric=_list(_TEXT),
        total=_COUNT,
        boolean=_YES,
        turtle=_TEXT,
    ),
}
