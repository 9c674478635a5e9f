#pragma once

/// What the build wrote into the finished program: its version, commit, and date as text that ends
/// with a zero byte. The text is empty if the build wrote nothing.
const char *nb_build_stamp(void);
