/// How `APay` carries Apple's `paymentData`.
///
/// No public document of Portmone's says which one it takes. The only published request, a fixture of a third-party client, has a
/// string that stands for the token. Not tried with a live Portmone.
public enum PaymentDataEncoding: String, Sendable, CaseIterable {
    /// A string that is the JSON text of Apple's `paymentData`.
    case jsonString = "json-string"
    /// The JSON object itself.
    case object
    /// A string that is the base64 (RFC 4648, 4) of the JSON text.
    case base64
}
