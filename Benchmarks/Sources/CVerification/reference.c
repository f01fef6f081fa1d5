#include "cverification.h"

#include <openssl/cms.h>
#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <stdlib.h>
#include <string.h>

struct reference {
    X509_STORE *store;
};

reference *reference_prepare(const char *root_pem, int64_t signing_time) {
    BIO *source = BIO_new_mem_buf(root_pem, (int)strlen(root_pem));
    X509 *root = PEM_read_bio_X509(source, NULL, NULL, NULL);
    BIO_free(source);
    if (root == NULL) return NULL;
    reference *made = calloc(1, sizeof *made);
    made->store = X509_STORE_new();
    X509_STORE_add_cert(made->store, root);
    X509_free(root);
    X509_VERIFY_PARAM_set_time(X509_STORE_get0_param(made->store), (time_t)signing_time);
    return made;
}

bool reference_verify(
    const reference *reference, const uint8_t *message, size_t message_length, const uint8_t *content,
    size_t content_length) {
    const uint8_t *position = message;
    CMS_ContentInfo *cms = d2i_CMS_ContentInfo(NULL, &position, (long)message_length);
    BIO *source = BIO_new_mem_buf(content, (int)content_length);
    bool valid = cms != NULL && CMS_verify(cms, NULL, reference->store, source, NULL, CMS_BINARY) == 1;
    BIO_free(source);
    CMS_ContentInfo_free(cms);
    return valid;
}
