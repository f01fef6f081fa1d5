// OpenSSL's CMS_verify, the reference for the verification of tokens.
#ifndef CMS_REFERENCE_H
#define CMS_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const uint8_t *start;
    size_t count;
} cms_bytes;

// A trust anchor: the distinguished name and the SubjectPublicKeyInfo, both in DER. NULL if OpenSSL does not accept
// them. Many threads may use one anchor.
typedef struct cms_anchor cms_anchor;
cms_anchor *cms_anchor_new(cms_bytes name, cms_bytes public_key);

// OpenSSL's judgement of a message.
typedef struct {
    // Whether the message can be read as a SignedData that fills the bytes.
    bool is_read;
    int certificates;
    int signers;
    // The following members are set for a message with one signer.
    // Whether the signer's key signed the attributes.
    bool is_signed;
    // The result of CMS_verify: content, attributes, signature, and the chain to the anchor at the signing time.
    bool is_valid;
    // In seconds since 1970; INT64_MIN if no signed attribute states it.
    int64_t signing_time;
    // SHA-256 of the signer's certificate in DER; zeros if it is not in the message.
    uint8_t signer[32];
} cms_judgement;

cms_judgement cms_judge(const cms_anchor *anchor, cms_bytes message, cms_bytes content);

#endif
