#pragma once

#if !__has_include(<sodium.h>)
#error "libsodium's headers are missing: install the Debian package libsodium-dev"
#endif
#include <sodium.h>
