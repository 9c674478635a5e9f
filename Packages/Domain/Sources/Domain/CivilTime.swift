// The API of this package is full of dates, times, and zones: who imports Domain needs them too.
@_exported public import CivilTime
