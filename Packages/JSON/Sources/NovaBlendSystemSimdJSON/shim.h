#pragma once

#if !__has_include(<simdjson.h>)
#error "simdjson's headers are missing: install the Debian package libsimdjson-dev"
#endif
#include <simdjson.h>
