/// The encoding of Apple's `paymentData` in an `APay`.
///
/// No public document of Portmone says which encoding it accepts. The only published request, a fixture of a
/// third-party client, has a string as a placeholder for the token. Not tested against a live Portmone.
public enum PaymentDataEncoding: String, Sendable, CaseIterable {
    /// A string with the JSON text of Apple's `paymentData`.
    case jsonString = "json-string"
    /// The JSON object itself.
    case object
    /// A string with the base64 (RFC 4648, 4) of the JSON text.
    case base64
}
