#pragma once

#if !__has_include(<postgresql/libpq-fe.h>)
#error "libpq's headers are missing: install the Debian package libpq-dev"
#endif
#include <postgresql/libpq-fe.h>
