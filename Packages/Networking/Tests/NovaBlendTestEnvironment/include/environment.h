#ifndef NOVABLEND_TEST_ENVIRONMENT_H
#define NOVABLEND_TEST_ENVIRONMENT_H

#include <stdbool.h>

// This library sets http_proxy, https_proxy, and all_proxy to a port on which no server listens,
// and no_proxy to proxied.test, before the first test runs. It makes a lookup of held.test block
// until a test releases it, and then fail.

/// Waits until held.test is looked up. Returns false after a minute.
bool held_lookup_wait(void);

/// Ends one lookup of held.test.
void held_lookup_release(void);

/// How often a library tried to open the terminal.
int terminal_open_count(void);

#endif
