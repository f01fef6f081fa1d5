// OpenSSL's stacks are macros, which Swift cannot call: here they are functions.
#ifndef PAYRELAY_OPENSSL_SHIMS_H
#define PAYRELAY_OPENSSL_SHIMS_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

static inline int shim_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *shim_sk_X509_value(const STACK_OF(X509) *stack, int place) { return sk_X509_value(stack, place); }
static inline STACK_OF(X509) *shim_sk_X509_new(void) { return sk_X509_new_null(); }

// The stack borrows what is pushed: free it with shim_sk_X509_free, which leaves the certificates alone.
static inline int shim_sk_X509_push(STACK_OF(X509) *stack, X509 *certificate) { return sk_X509_push(stack, certificate); }
static inline void shim_sk_X509_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }

// Frees the stack and the references to certificates that it owns, as CMS_get1_certs returns it.
static inline void shim_sk_X509_pop_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }

static inline int shim_sk_CMS_SignerInfo_num(const STACK_OF(CMS_SignerInfo) *stack) {
    return sk_CMS_SignerInfo_num(stack);
}
static inline CMS_SignerInfo *shim_sk_CMS_SignerInfo_value(const STACK_OF(CMS_SignerInfo) *stack, int place) {
    return sk_CMS_SignerInfo_value(stack, place);
}

// The flags of RFC 2253 are macros that Swift does not import. They escape control characters.
static inline int shim_X509_NAME_print_RFC2253(BIO *sink, const X509_NAME *name) {
    return X509_NAME_print_ex(sink, name, 0, XN_FLAG_RFC2253);
}
static inline int shim_ASN1_STRING_print_RFC2253(BIO *sink, const ASN1_STRING *text) {
    return ASN1_STRING_print_ex(sink, text, ASN1_STRFLGS_RFC2253);
}

static inline void shim_OPENSSL_free(void *memory) { OPENSSL_free(memory); }

#endif
