r"""Passwords and folders are left out of what is shown or exported; files keep their names.

A path is known by how it begins: ``/``, ``~``, ``./``, ``../``, ``C:\`` or ``file:///``. It may
have blanks, and ends at ``<`` and ``>``, outside of quotes also at any of ``:,;(){}[]`` and quotes.
"""

import re
from typing import Any

import msgspec

_ACCOUNT = re.compile(r"^([\w+.-]+://)?.*@", re.DOTALL)
_ACCOUNT_IN_URL = re.compile(r"://[^/?#]*@")
_FILES = ("background", "replay", "model")
_NEVER_EXPORTED = ("proxy", "contact", "mirror")
_SPECS = ("judge", "strategy", "policy", "lens")

# A Windows path that Python has quoted has each backslash twice. One alone is no root: in
# a quoted text it is more often that of "\n".
_STEP = r"(?:/|\\{1,2})"
_BARE_ROOT = r"(?:/(?!/)|\\{2,4})"
_TOLD_ROOT = (
    r"(?:file://[^\\/\s]*/|[A-Za-z][\w+.-]{1,20}:///"
    rf"|[A-Za-z]:{_STEP}|~[\w.-]*{_STEP}|\.{{1,2}}{_STEP})"
)
# In a spec a file ends at ":" or ",": /home/ann/mine.py:Mine, taxonomy:model=/home/ann/a.tax.
_IN_SPEC = re.compile(rf"(?:^|(?<=[=:,]))(?:{_TOLD_ROOT}|{_BARE_ROOT}|\\)[^:,]*")

_MARKS = r"'\"`<>:,;(){}\[\]"


def _folders(part: str) -> str:
    """A pattern of all of a path but its name; ``part`` is that of a name."""
    return rf"(?:{_TOLD_ROOT}(?:{part}{_STEP})*|{_BARE_ROOT}(?:{part}{_STEP})+)(?!\s)(?={part})"


# A URL is looked for first, so that no part of one is taken for a path.
_URL = r"(?P<url>\b(?!file:)[A-Za-z][\w+.-]{1,20}://[^\s/'\"`<>,;][^\s'\"`<>,;]*)"
_QUOTED = r"(?P<quote>['\"`])" + _folders(r"(?:(?!(?P=quote)(?!\w))[^\\/\n<>])+")
# A blank before a root is the end of one path and the begin of another.
_PLAIN = rf"(?:^|(?<=[\s={_MARKS}]))" + _folders(rf"(?:[^\s\\/{_MARKS}]|[ ](?![\\/~]))+")
_IN_TEXT = re.compile(f"{_URL}|{_QUOTED}|{_PLAIN}", re.MULTILINE)


def shown_settings(settings: dict[str, Any]) -> dict[str, Any]:
    """Return settings without folders and without the account at the proxy.

    >>> shown_settings({"proxy": "http://ann:secret@10.0.0.1:3128", "replay": ["/home/ann/web"]})
    {'proxy': 'http://***@10.0.0.1:3128', 'replay': ['web']}
    >>> shown_settings({"judge": "taxonomy:model=/home/ann/a.tax", "pages": 10})
    {'judge': 'taxonomy:model=a.tax', 'pages': 10}
    """
    shown = dict(settings)
    if isinstance(proxy := shown.get("proxy"), str):
        # The name may be the secret: some proxies take a token for it.
        shown["proxy"] = _ACCOUNT.sub(r"\1***@", proxy)
    for name in (*_FILES, *_SPECS):
        change = shown_spec if name in _SPECS else _name
        value = shown.get(name)
        if isinstance(value, str):
            shown[name] = change(value)
        elif isinstance(value, list | tuple):
            shown[name] = [change(str(one)) for one in value]
    return shown


def exported_settings(settings: str) -> str:
    """Return settings in JSON as an export tells them: without folders, proxy and contact.

    >>> exported_settings('{"proxy":"http://10.0.0.1:3128","replay":["/home/ann/web"]}')
    '{"replay":["web"]}'
    """
    try:
        shown = shown_settings(msgspec.json.decode(settings, type=dict[str, Any]))
    except (msgspec.DecodeError, RecursionError):
        return ""  # a stranger's folder: what cannot be read cannot be cleared
    kept = {name: value for name, value in shown.items() if name not in _NEVER_EXPORTED}
    return msgspec.json.encode(kept).decode()


def file_name(path: str) -> str:
    """Return a path, perhaps with an option or a fragment, without its folders; a URL without its account.

    >>> file_name("/home/ann/a.ttl?isa=http://x.test/kind#b"), file_name("http://x.test/a/b")
    ('a.ttl?isa=http://x.test/kind#b', 'http://x.test/a/b')
    """
    if re.match(r"(?!file:)[A-Za-z][\w+.-]+://", path):
        return _ACCOUNT_IN_URL.sub("://", path, count=1)
    place, mark, rest = re.split(r"([?#].*|$)", path, maxsplit=1, flags=re.DOTALL)
    return _name(place) + mark + rest


def without_folders(text: str) -> str:
    """Return a text without the folders of files and the accounts of URLs.

    >>> without_folders("no file '/home/ann/my docs/a.tax': see http://a.test/b/c")
    "no file 'a.tax': see http://a.test/b/c"
    >>> without_folders("cannot use the proxy http://ann:secret@10.0.0.1:3128")
    'cannot use the proxy http://***@10.0.0.1:3128'
    """
    return _IN_TEXT.sub(_redacted, text)


def shown_spec(spec: str) -> str:
    """Return a part's spec without the folders of files.

    >>> shown_spec("/home/ann/mine.py:Mine")
    'mine.py:Mine'
    """
    return _IN_SPEC.sub(lambda found: _name(found[0]), spec)


def _redacted(found: re.Match[str]) -> str:
    if url := found["url"]:
        return _ACCOUNT_IN_URL.sub("://***@", url, count=1)
    return found["quote"] or ""


def _name(path: str) -> str:
    return re.split(r"[\\/]", path.rstrip("\\/"))[-1]
