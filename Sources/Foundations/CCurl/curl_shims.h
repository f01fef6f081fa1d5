// libcurl's variadic functions, one per argument type, so that Swift can call them.
#ifndef PAYRELAY_CURL_SHIMS_H
#define PAYRELAY_CURL_SHIMS_H

#include <curl/curl.h>

// The shape that the write and header callbacks share.
typedef size_t (*payrelay_curl_data_callback)(char *buffer, size_t size, size_t count, void *context);

static inline CURLcode payrelay_curl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl keeps a copy.
static inline CURLcode payrelay_curl_set_body(CURL *easy, const void *data, size_t size) {
    CURLcode code = curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
    return code ? code : curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, data);
}

static inline CURLcode payrelay_curl_set_string(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode payrelay_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

// libcurl keeps a copy.
static inline CURLcode payrelay_curl_set_blob(CURL *easy, CURLoption option, const void *data, size_t size) {
    struct curl_blob blob = {(void *)data, size, CURL_BLOB_COPY};
    return curl_easy_setopt(easy, option, &blob);
}

static inline CURLcode payrelay_curl_set_data_callback(
    CURL *easy, CURLoption option, payrelay_curl_data_callback callback) {
    return curl_easy_setopt(easy, option, callback);
}

static inline CURLcode payrelay_curl_set_prereq_callback(CURL *easy, curl_prereq_callback callback) {
    return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

// From 7.85 on the protocols are named; older versions (Ubuntu 22.04 has 7.81) take a bit mask.
static inline CURLcode payrelay_curl_allow_protocols(CURL *easy, int http) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, http ? "http" : "https");
#else
    return curl_easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(http ? CURLPROTO_HTTP : CURLPROTO_HTTPS));
#endif
}

// From 7.87 on a transfer that ends while its host name is being looked up need not wait for the look-up.
static inline CURLcode payrelay_curl_abandon_lookups(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)easy;
    return CURLE_OK;
#endif
}

static inline CURLcode payrelay_curl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode payrelay_curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode payrelay_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

static inline CURLMcode payrelay_curl_multi_on_socket(CURLM *multi, curl_socket_callback callback, void *context) {
    curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    return curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, callback);
}

static inline CURLMcode payrelay_curl_multi_on_timer(CURLM *multi, curl_multi_timer_callback callback, void *context) {
    curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
    return curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, callback);
}

// Returns the file of roots that libcurl was built for, or NULL if there is none.
static inline const char *payrelay_curl_file_of_roots(void) {
    return curl_version_info(CURLVERSION_NOW)->cainfo;
}

#endif
