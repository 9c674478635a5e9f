#ifndef NOVABLEND_TEST_ENVIRONMENT_H
#define NOVABLEND_TEST_ENVIRONMENT_H

#include <stdbool.h>

// Before the first test runs, http_proxy, https_proxy and all_proxy name a port where nobody is,
// and no_proxy excepts proxied.test.
//
// Looking up held.test blocks until somebody releases it, and finds nothing then.

/// Waits until held.test is looked up; false when that does not happen in ten seconds.
bool held_lookup_wait(void);

/// Lets one look-up of held.test end.
void held_lookup_release(void);

#endif
