"""Calls with mistakes that models make, and what the answers must contain."""

from sloppy import hours, ids, names, times_in_words, values, wrong_times

CALLS = [
    call
    for module in (times_in_words, wrong_times, names, values, ids, hours)
    for call in module.CALLS
]
