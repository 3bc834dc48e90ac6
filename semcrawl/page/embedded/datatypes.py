"""Which XSD datatype a text is a valid form of, for what is a time or a number by its markup."""

from __future__ import annotations

import re

import pyoxigraph as ox

__all__ = ["number_datatype", "time_datatype"]

_YEAR = r"-?\d{4,9}"
_MONTH = r"(?:0[1-9]|1[0-2])"
_DATE = rf"{_YEAR}-{_MONTH}-(?:0[1-9]|[12]\d|3[01])"
_CLOCK = r"(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,12})?"
_ZONE = r"(?:Z|[+-](?:0\d|1[0-3]):[0-5]\d|[+-]14:00)?"
_COUNT = r"\d{1,12}"
_TIMES = {
    "date": _DATE + _ZONE,
    "dateTime": f"{_DATE}T{_CLOCK}{_ZONE}",
    "time": _CLOCK + _ZONE,
    "gYear": _YEAR + _ZONE,
    "gYearMonth": f"{_YEAR}-{_MONTH}{_ZONE}",
    "duration": rf"-?P(?=.)(?:{_COUNT}Y)?(?:{_COUNT}M)?(?:{_COUNT}D)?"
    rf"(?:T(?=.)(?:{_COUNT}H)?(?:{_COUNT}M)?(?:{_COUNT}(?:\.\d{{1,12}})?S)?)?",
}
_NUMBERS = {
    "integer": r"-?\d{1,300}",
    "double": r"-?(?:\d{1,300}(?:\.\d{1,300})?|\.\d{1,300})(?:[eE][-+]?\d{1,4})?",
}
_Forms = list[tuple[re.Pattern[str], ox.NamedNode]]


def _compiled(forms: dict[str, str]) -> _Forms:
    return [
        (re.compile(form, re.ASCII), ox.NamedNode(f"http://www.w3.org/2001/XMLSchema#{name}"))
        for name, form in forms.items()
    ]


_TIME_FORMS, _NUMBER_FORMS = _compiled(_TIMES), _compiled(_NUMBERS)


def time_datatype(text: str) -> ox.NamedNode | None:
    """The datatype of a date, a time or a duration, of the six that HTML has.

    >>> time_datatype("2012-03-18").value
    'http://www.w3.org/2001/XMLSchema#date'
    >>> time_datatype("tomorrow") is None
    True
    """
    return _first(_TIME_FORMS, text)


def number_datatype(text: str) -> ox.NamedNode | None:
    """The datatype of a number.

    >>> number_datatype("9.50").value
    'http://www.w3.org/2001/XMLSchema#double'
    """
    return _first(_NUMBER_FORMS, text)


def _first(forms: _Forms, text: str) -> ox.NamedNode | None:
    return next((datatype for form, datatype in forms if form.fullmatch(text)), None)
