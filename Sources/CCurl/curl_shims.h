// libcurl's variadic functions, one per argument type, so that Swift can call them.
#ifndef PAYRELAY_CURL_SHIMS_H
#define PAYRELAY_CURL_SHIMS_H

#include <curl/curl.h>

#endif
