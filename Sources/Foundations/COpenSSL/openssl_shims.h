// OpenSSL's stacks are macros, which Swift cannot call: here they are functions.
#ifndef PAYRELAY_OPENSSL_SHIMS_H
#define PAYRELAY_OPENSSL_SHIMS_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
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

// The flags of RFC 2253 are macros that Swift does not import. They escape control characters.
static inline int shim_X509_NAME_print_RFC2253(BIO *sink, const X509_NAME *name) {
    return X509_NAME_print_ex(sink, name, 0, XN_FLAG_RFC2253);
}
static inline int shim_ASN1_STRING_print_RFC2253(BIO *sink, const ASN1_STRING *text) {
    return ASN1_STRING_print_ex(sink, text, ASN1_STRFLGS_RFC2253);
}

static inline void shim_OPENSSL_free(void *memory) { OPENSSL_free(memory); }

#endif
