#include "NovaBlendApps.h"

// The pages are embedded from C, because #embed takes no time to compile. SwiftPM's embedInCode
// makes an array literal of every byte, which takes the Swift compiler six seconds for 36 KB. The
// Clang of Swift 6.2 and later supports #embed as an extension, although it compiles C17.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char week_page[] = {
#embed "../../Apps/week.html" suffix(, '\0')
};

const char *novablend_week_page(void) { return week_page; }
