// OpenSSL's CMS_verify: what the verification of tokens is held against.
#ifndef CMS_REFERENCE_H
#define CMS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *start;
    size_t count;
} cms_bytes;

// A trust anchor: the distinguished name and the SubjectPublicKeyInfo, both in DER. NULL where OpenSSL does not take them. It may
// be used by many threads.
typedef struct cms_anchor cms_anchor;
cms_anchor *cms_anchor_new(cms_bytes name, cms_bytes public_key);

// What OpenSSL makes of a message.
typedef struct {
    // It can be read as a SignedData that fills the bytes.
    bool is_read;
    int certificates;
    int signers;
    // The rest is of a message with one signer.
    // The signer's key signed the attributes.
    bool is_signed;
    // CMS_verify: content, attributes, signature, and the chain to the anchor at the signing time.
    bool is_valid;
    // In seconds since 1970; INT64_MIN where no signed attribute states one.
    int64_t signing_time;
    // SHA-256 of the signer's certificate in DER; zeros where it is not in the message.
    uint8_t signer[32];
} cms_judgement;

cms_judgement cms_judge(const cms_anchor *anchor, cms_bytes message, cms_bytes content);

#endif
