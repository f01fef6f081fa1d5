public import Primitives

/// One request to FORT, checked, before an account signs it.
public protocol FortRequest: Sendable, Redacted {
    var command: FortCommand { get }
    /// The request's own parameters, by FORT's names: without the account's and without the signature.
    var parameters: JSONObject { get }
}
