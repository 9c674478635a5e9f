#pragma once

#if !__has_include(<sqlite3.h>)
#error "SQLite's headers are missing: install the Debian package libsqlite3-dev"
#endif
#include <sqlite3.h>
