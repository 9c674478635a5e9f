#include "NovaBlendApps.h"

// In C, since #embed costs no time. SwiftPM's embedInCode makes an array literal of every byte, which
// takes the Swift compiler six seconds for 36 KB. Swift 6.2 and later have a Clang with #embed, but
// compile C17.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char week_page[] = {
#embed "../../Apps/week.html" suffix(, '\0')
};

const char *novablend_week_page(void) { return week_page; }
