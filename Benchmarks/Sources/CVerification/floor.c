#include "cverification.h"

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <string.h>

struct floor_cost {
    EVP_MD *sha256;
    EVP_MD_CTX *digest_context;
    EVP_PKEY *key;
    EVP_PKEY_CTX *verification;
    uint8_t digest[32];
    uint8_t signature[80];
    size_t signature_length;
};

floor_cost *floor_prepare(void) {
    floor_cost *made = calloc(1, sizeof *made);
    made->sha256 = EVP_MD_fetch(NULL, "SHA2-256", NULL);
    made->digest_context = EVP_MD_CTX_new();
    made->key = EVP_EC_gen("P-256");
    EVP_Digest("payrelay", 8, made->digest, NULL, made->sha256, NULL);
    made->signature_length = sizeof made->signature;
    EVP_PKEY_CTX *signing = EVP_PKEY_CTX_new_from_pkey(NULL, made->key, NULL);
    bool ready = signing != NULL && EVP_PKEY_sign_init(signing) == 1
        && EVP_PKEY_sign(signing, made->signature, &made->signature_length, made->digest, sizeof made->digest) == 1;
    EVP_PKEY_CTX_free(signing);
    made->verification = EVP_PKEY_CTX_new_from_pkey(NULL, made->key, NULL);
    return ready && EVP_PKEY_verify_init(made->verification) == 1 ? made : NULL;
}

bool floor_digest(const floor_cost *floor, const uint8_t *content, size_t content_length) {
    uint8_t digest[32];
    return EVP_DigestInit_ex2(floor->digest_context, floor->sha256, NULL) == 1
        && EVP_DigestUpdate(floor->digest_context, content, content_length) == 1
        && EVP_DigestFinal_ex(floor->digest_context, digest, NULL) == 1;
}

bool floor_verify_signature(const floor_cost *floor) {
    return EVP_PKEY_verify(
               floor->verification, floor->signature, floor->signature_length, floor->digest, sizeof floor->digest)
        == 1;
}

bool floor_verify(const floor_cost *floor, const uint8_t *content, size_t content_length) {
    return floor_digest(floor, content, content_length) && floor_verify_signature(floor);
}

bool floor_verify_signature_anew(const floor_cost *floor) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool valid = EVP_DigestVerifyInit_ex(context, NULL, "SHA2-256", NULL, NULL, floor->key, NULL) == 1
        && EVP_DigestVerify(context, floor->signature, floor->signature_length, (const uint8_t *)"payrelay", 8) == 1;
    EVP_MD_CTX_free(context);
    return valid;
}

size_t floor_point(const floor_cost *floor, uint8_t *point, size_t limit) {
    size_t length = 0;
    EVP_PKEY_get_octet_string_param(floor->key, OSSL_PKEY_PARAM_PUB_KEY, point, limit, &length);
    return length;
}

size_t floor_signature(const floor_cost *floor, uint8_t *signature, size_t limit) {
    if (limit < floor->signature_length) return 0;
    memcpy(signature, floor->signature, floor->signature_length);
    return floor->signature_length;
}
