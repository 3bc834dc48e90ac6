"""Short names for the types of arrays, and what many of them need."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def spans(starts: Ints, sizes: Ints) -> tuple[Ints, Ints]:
    """Return of every member of several runs which run it is in, and its place, counted from the run's start.

    >>> [part.tolist() for part in spans(np.array([10, 5]), np.array([2, 1]))]
    [[0, 0, 1], [10, 11, 5]]
    """
    owners = np.repeat(np.arange(len(sizes)), sizes)
    ends = np.cumsum(sizes)
    return owners, np.arange(len(owners)) + np.repeat(starts - ends + sizes, sizes)
