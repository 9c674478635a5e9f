#include "NovaBlendBuildStamp.h"

// The build replaces this section of the finished program (Tools/Scripts/finish.sh), so that a new
// commit does not compile anything again. It is volatile because the compiler must not assume that
// the content stays the same.
__attribute__((section("novablend_stamp"), used)) static const volatile char stamp[128] = "";

const char *nb_build_stamp(void) { return (const char *)stamp; }
