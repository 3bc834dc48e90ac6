"""What the page need not tell of the machine: passwords, and where files are.

Files are told by their names only. What the graph has recorded stays as it is:
a query reads the settings in full.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["shown_settings", "shown_spec", "without_folders"]

_PASSWORD = re.compile(r"^((?:[\w+.-]+://|(?![\w+.-]+://))[^:/@]*):.*@", re.DOTALL)
_FILES = ("background", "replay")
_SPECS = ("judge", "strategy", "policy")
_ROOT = r"(?:[A-Za-z]:)?[\\/]"
# In a spec a file ends at ":" or ",": /home/ann/mine.py:Mine, taxonomy:model=/home/ann/a.tax.
_IN_SPEC = re.compile(rf"(?:^|(?<=[=:,])){_ROOT}[^:,]*")
# In a sentence it begins after a blank, a quote or a bracket, so that no URL is taken for one.
_IN_TEXT = re.compile(
    rf"(?:^|(?<=[\s'\"(=])){_ROOT}(?:[^\s\\/'\"<>]+[\\/])+([^\s\\/'\"<>]*)", re.MULTILINE
)


def shown_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as the page shows them: no password of the proxy, no folders.

    >>> shown_settings({"proxy": "http://ann:secret@10.0.0.1:3128", "replay": ["/home/ann/web"]})
    {'proxy': 'http://ann:***@10.0.0.1:3128', 'replay': ['web']}
    >>> shown_settings({"judge": "taxonomy:model=/home/ann/a.tax", "pages": 10})
    {'judge': 'taxonomy:model=a.tax', 'pages': 10}
    """
    shown = dict(settings)
    if isinstance(proxy := shown.get("proxy"), str):
        shown["proxy"] = _PASSWORD.sub(r"\1:***@", proxy)
    for name in (*_FILES, *_SPECS):
        change = shown_spec if name in _SPECS else _name
        value = shown.get(name)
        if isinstance(value, str):
            shown[name] = change(value)
        elif isinstance(value, list | tuple):
            shown[name] = [change(str(one)) for one in value]
    return shown


def without_folders(text: str) -> str:
    """A text in which files stand with their names only; URLs stay as they are.

    >>> without_folders("no file '/home/ann/a.tax': see http://a.test/b/c")
    "no file 'a.tax': see http://a.test/b/c"
    """
    return _IN_TEXT.sub(lambda found: found[1] or _name(found[0]), text)


def shown_spec(spec: str) -> str:
    """A part's spec in which files stand with their names only.

    >>> shown_spec("/home/ann/mine.py:Mine")
    'mine.py:Mine'
    """
    return _IN_SPEC.sub(lambda found: _name(found[0]), spec)


def _name(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]
