import FoundationEssentials
import Primitives

/// Where FORT takes requests: an `https` URL, or a plain `http` one on this machine (for a sandbox).
public struct FortEndpoint: Hashable, Sendable, CustomStringConvertible {
    public let url: String

    /// APS's test environment.
    public static let test = FortEndpoint(known: "https://sbpaymentservices.payfort.com/FortAPI/paymentApi")
    /// APS's production environment: real money.
    public static let production = FortEndpoint(known: "https://paymentservices.payfort.com/FortAPI/paymentApi")

    private init(known url: String) {
        self.url = url
    }

    /// - Throws: ``FortEndpointError``, which says what is wrong with the URL.
    public init(_ url: String) throws(FortEndpointError) {
        guard let parts = URLComponents(string: url), let scheme = parts.scheme?.lowercased(), let host = parts.host,
            !host.isEmpty, url.utf8.allSatisfy({ (0x21..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") })
        else { throw .notAURL }
        guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil else {
            throw .moreThanAnAddress
        }
        switch scheme {
        case "https": break
        case "http": guard IPAddress.isLoopback(host: host) else { throw .notEncrypted }
        default: throw .notHTTP
        }
        self.url = url
    }

    public var description: String { url }
}

/// Why a URL is no ``FortEndpoint``.
public enum FortEndpointError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAURL
    case notHTTP
    /// Plain `http` to another machine.
    case notEncrypted
    /// A user, a password, a query or a fragment.
    case moreThanAnAddress

    public var description: String {
        switch self {
        case .notAURL: "is not an absolute URL"
        case .notHTTP: "must be an https URL"
        case .notEncrypted: "must be https; plain http is for loopback addresses only"
        case .moreThanAnAddress: "must not have a user, a password, a query or a fragment"
        }
    }
}
