#ifndef NOVABLEND_TEST_ENVIRONMENT_H
#define NOVABLEND_TEST_ENVIRONMENT_H

#include <stdbool.h>

// Before the first test runs, http_proxy, https_proxy, and all_proxy are set to a port on which no
// server listens, and no_proxy to proxied.test.
//
// A lookup of held.test blocks until it is released, and then fails.

/// Waits until held.test is looked up; false if that does not happen within ten seconds.
bool held_lookup_wait(void);

/// Ends one lookup of held.test.
void held_lookup_release(void);

/// How often the terminal was opened, to ask for a passphrase.
int terminal_open_count(void);

#endif
