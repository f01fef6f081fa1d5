import FoundationEssentials
import PayrelayPrimitives
import TokenMint

/// A substitute for Apple's session host. It checks the documented members of a request, and that the client's
/// certificate belongs to the merchant in the request.
struct AppleSessionHost: Sendable {
    let pki: SandboxPKI

    /// The error of a request, in the format of Apple's answers.
    struct Failure: Error, Equatable {
        let status: Int
        let message: String

        var json: JSON { ["statusMessage": .string(message), "statusCode": .string(String(status))] }

        static func malformed(_ message: String) -> Failure { Failure(status: 400, message: message) }

        static func notRegistered(_ identifier: String) -> Failure {
            Failure(
                status: 417,
                message: "Payment Services Exception: the certificate is not registered for merchantId=\(identifier)")
        }
    }

    /// Creates a session.
    ///
    /// - Parameters:
    ///   - body: the body of the request.
    ///   - client: the merchant identifier in the client's certificate.
    /// - Returns: the session.
    func session(for body: [UInt8], from client: String?, at moment: Date) throws -> JSON {
        guard let request = (try? JSON(parsing: body))?.objectValue else {
            throw Failure.malformed("the body is not a JSON object")
        }
        let identifier = try text("merchantIdentifier", of: request, orMissing: "missing merchant identifier")
        guard identifier == client else { throw Failure.notRegistered(identifier) }
        let displayName = try text("displayName", of: request, orMissing: "missing displayName")
        guard displayName.unicodeScalars.count <= 64 else {
            throw Failure.malformed("displayName is longer than 64 characters")
        }
        guard request["initiative"] == "web" else { throw Failure.malformed("initiative is not web") }
        let domain = try text("initiativeContext", of: request, orMissing: "missing initiativeContext")
        guard domain.has("."), !domain.utf8.contains(where: { "/:@?#".utf8.contains($0) }) else {
            throw Failure.malformed("initiativeContext is not a fully qualified domain name")
        }
        return try pki.session(
            merchantIdentifier: identifier, displayName: displayName, domain: domain, at: moment)
    }

    private func text(_ name: String, of request: JSONObject, orMissing message: String) throws(Failure) -> String {
        guard let text = request[name]?.stringValue, !text.isEmpty else { throw .malformed(message) }
        return text
    }
}
