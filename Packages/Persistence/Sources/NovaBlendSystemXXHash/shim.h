#pragma once

// The whole algorithm is in the header, so that no shared library is needed when it runs.
#define XXH_INLINE_ALL
#include <xxhash.h>
