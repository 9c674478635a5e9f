#pragma once

// Compiles the whole algorithm from the header, so that no shared library is needed at run time.
#define XXH_INLINE_ALL
#include <xxhash.h>
