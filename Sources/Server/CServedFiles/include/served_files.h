// Files that the service serves, in the binary itself.
#ifndef PAYRELAY_SERVED_FILES_H
#define PAYRELAY_SERVED_FILES_H

/// The bytes of a file. They are constant and stay valid for as long as the process runs.
struct payrelay_served_file {
    const unsigned char *bytes;
    unsigned long length;
};

/// Returns `docs/openapi.yaml`: OpenAPI 3.1, UTF-8.
struct payrelay_served_file payrelay_openapi_yaml(void);

/// Returns `payrelay.js`, UTF-8.
struct payrelay_served_file payrelay_module(void);

/// Returns `payrelay.js` in gzip's format (RFC 1952).
struct payrelay_served_file payrelay_compressed_module(void);

/// Returns `payrelay.d.ts`, the TypeScript declarations, UTF-8.
struct payrelay_served_file payrelay_declarations(void);

#endif
