#pragma once

#if !__has_include(<xxhash.h>)
#error "xxHash's headers are missing: install the Debian package libxxhash-dev"
#endif
// Compiles the whole algorithm from the header, so that no shared library is needed at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>
