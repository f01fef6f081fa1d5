// OpenSSL's stacks and error macros as functions, so that Swift can call them.
#ifndef PAYRELAY_OPENSSL_SHIMS_H
#define PAYRELAY_OPENSSL_SHIMS_H

#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#endif
