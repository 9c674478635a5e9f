// Domain's public API uses the types of CivilTime, so every client of Domain needs them, too.
@_exported public import CivilTime
