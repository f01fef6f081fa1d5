// `#embed` (C23) takes the compiler milliseconds. The same bytes as an array of Swift literals take it half a minute.
#include "served_files.h"

static const unsigned char openapi_yaml[] = {
#embed "../../../docs/openapi.yaml"
};

static const unsigned char payrelay_js[] = {
#embed "../ServedFiles/payrelay.js"
};

static const unsigned char payrelay_js_gz[] = {
#embed "../ServedFiles/payrelay.js.gz"
};

static const unsigned char payrelay_d_ts[] = {
#embed "../ServedFiles/payrelay.d.ts"
};

struct payrelay_served_file payrelay_openapi_yaml(void) {
    return (struct payrelay_served_file) {openapi_yaml, sizeof openapi_yaml};
}

struct payrelay_served_file payrelay_module(void) {
    return (struct payrelay_served_file) {payrelay_js, sizeof payrelay_js};
}

struct payrelay_served_file payrelay_compressed_module(void) {
    return (struct payrelay_served_file) {payrelay_js_gz, sizeof payrelay_js_gz};
}

struct payrelay_served_file payrelay_declarations(void) {
    return (struct payrelay_served_file) {payrelay_d_ts, sizeof payrelay_d_ts};
}
