#include "cms_reference.h"

#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct cms_anchor {
    X509 *certificate;
};

// The anchor has no dates and no signature, but OpenSSL requires dates.
cms_anchor *cms_anchor_new(cms_bytes name_der, cms_bytes key_der) {
    cms_anchor *anchor = calloc(1, sizeof *anchor);
    X509 *certificate = anchor->certificate = X509_new();
    X509_NAME *name = d2i_X509_NAME(NULL, &name_der.start, (long)name_der.count);
    EVP_PKEY *key = d2i_PUBKEY(NULL, &key_der.start, (long)key_der.count);
    BASIC_CONSTRAINTS constraints = {.ca = 0xFF, .pathlen = NULL};
    bool is_made = name != NULL && key != NULL && X509_set_version(certificate, X509_VERSION_3) == 1
        && X509_set_subject_name(certificate, name) == 1 && X509_set_issuer_name(certificate, name) == 1
        && X509_set_pubkey(certificate, key) == 1
        && ASN1_TIME_set_string(X509_getm_notBefore(certificate), "19500101000000Z") == 1
        && ASN1_TIME_set_string(X509_getm_notAfter(certificate), "99991231235959Z") == 1
        && X509_add1_ext_i2d(certificate, NID_basic_constraints, &constraints, 1, 0) == 1;
    X509_NAME_free(name);
    EVP_PKEY_free(key);
    X509_check_purpose(certificate, -1, 0);
    ERR_clear_error();
    return is_made ? anchor : NULL;
}

static int64_t signing_time(CMS_SignerInfo *signer) {
    int place = CMS_signed_get_attr_by_NID(signer, NID_pkcs9_signingTime, -1);
    if (place < 0 || CMS_signed_get_attr_by_NID(signer, NID_pkcs9_signingTime, place) >= 0) return INT64_MIN;
    X509_ATTRIBUTE *attribute = CMS_signed_get_attr(signer, place);
    if (X509_ATTRIBUTE_count(attribute) != 1) return INT64_MIN;
    ASN1_TYPE *value = X509_ATTRIBUTE_get0_type(attribute, 0);
    struct tm parts;
    bool is_time = value->type == V_ASN1_UTCTIME || value->type == V_ASN1_GENERALIZEDTIME;
    if (!is_time || ASN1_TIME_to_tm(value->value.asn1_string, &parts) != 1) return INT64_MIN;
    return timegm(&parts);
}

// Validates fully, and trusts only the anchor.
static bool is_valid(const cms_anchor *anchor, CMS_ContentInfo *message, cms_bytes content, int64_t moment) {
    X509_STORE *store = X509_STORE_new();
    X509_VERIFY_PARAM *parameters = X509_STORE_get0_param(store);
    X509_VERIFY_PARAM_set_auth_level(parameters, 2);
    X509_VERIFY_PARAM_set_flags(parameters, X509_V_FLAG_PARTIAL_CHAIN);
    X509_VERIFY_PARAM_set_time(parameters, (time_t)moment);
    X509_STORE_add_cert(store, anchor->certificate);
    BIO *source = BIO_new_mem_buf(content.start, (int)content.count);
    bool valid = CMS_verify(message, NULL, store, source, NULL, CMS_BINARY) == 1;
    BIO_free(source);
    X509_STORE_free(store);
    return valid;
}

cms_judgement cms_judge(const cms_anchor *anchor, cms_bytes bytes, cms_bytes content) {
    cms_judgement judgement = {.signing_time = INT64_MIN};
    const uint8_t *position = bytes.start;
    CMS_ContentInfo *message = d2i_CMS_ContentInfo(NULL, &position, (long)bytes.count);
    judgement.is_read = message != NULL && position == bytes.start + bytes.count
        && OBJ_obj2nid(CMS_get0_type(message)) == NID_pkcs7_signed;
    if (judgement.is_read) {
        STACK_OF(X509) *certificates = CMS_get1_certs(message);
        judgement.certificates = certificates == NULL ? 0 : sk_X509_num(certificates);
        sk_X509_pop_free(certificates, X509_free);
        STACK_OF(CMS_SignerInfo) *signers = CMS_get0_SignerInfos(message);
        judgement.signers = signers == NULL ? 0 : sk_CMS_SignerInfo_num(signers);
        if (judgement.signers == 1) {
            CMS_set1_signers_certs(message, NULL, 0);
            CMS_SignerInfo *signer = sk_CMS_SignerInfo_value(signers, 0);
            X509 *certificate = NULL;
            CMS_SignerInfo_get0_algs(signer, NULL, &certificate, NULL, NULL);
            if (certificate != NULL) X509_digest(certificate, EVP_sha256(), judgement.signer, NULL);
            judgement.is_signed = CMS_signed_get_attr_count(signer) > 0 && CMS_SignerInfo_verify(signer) == 1;
            judgement.signing_time = signing_time(signer);
            judgement.is_valid = judgement.signing_time != INT64_MIN
                && is_valid(anchor, message, content, judgement.signing_time);
        }
    }
    CMS_ContentInfo_free(message);
    ERR_clear_error();
    return judgement;
}
