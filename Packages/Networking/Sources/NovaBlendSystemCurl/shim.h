#pragma once

#if !__has_include(<curl/curl.h>)
#error "libcurl's headers are missing: install the Debian package libcurl4-openssl-dev"
#endif
#include <curl/curl.h>
