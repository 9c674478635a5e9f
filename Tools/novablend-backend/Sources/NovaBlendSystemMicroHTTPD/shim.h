#pragma once

#if !__has_include(<microhttpd.h>)
#error "libmicrohttpd's headers are missing: install the Debian package libmicrohttpd-dev"
#endif
#include <microhttpd.h>
