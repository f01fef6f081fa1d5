import AccessControl
import PayrelayPrimitives
import HTTPListener
import HTTPTypes

/// Admits requests to routes by their head: the client must be authorized, a place be free, and the body be one that is read.
struct RouteAdmission: Sendable {
    let authorization: RouteAuthorization
    let places: ConcurrencyLimit
    /// The processor's messages have places of their own: they take none from clients, and clients none from them.
    let processorPlaces: ConcurrencyLimit
    /// A client reads an answer that is sent while it is made for as long as it likes, so such answers have places of their own: they take
    /// none from payments, also not from those of the same client.
    let streamPlaces: ConcurrencyLimit

    /// A place is taken once the body is there, so that half of a body holds none. Where no place is free already, the body is not
    /// read.
    ///
    /// - Throws: ``Problem`` 401, 403, 503 where no place is free, 415 where the body is encoded, 413 where it is too long.
    func admit(
        _ request: OpenRequest, to route: Route, _ authentication: Result<AuthenticatedClient, AuthenticationError>
    ) throws(Problem) -> AdmittedRequest {
        let client = try authorization.authorize(route.access, authentication, logger: request.logger)
        let isProcessor = route.access == .processor
        let places = isProcessor ? processorPlaces : places
        // A forged message has its place for as long as a signature takes to verify.
        let shares =
            isProcessor
            ? []
            : ConcurrencyLimit.shares(
                of: client, at: request.clientAddress, authenticates: authorization.isRequired)
        guard places.hasRoom(for: shares) else { throw Problem.tooManyInFlight }
        if let limit = route.bodyLimit { try Self.check(request.head, bodyLimit: limit) }
        return AdmittedRequest(client: client, places: places, shares: shares)
    }

    /// Returns the request as one whose answer is sent while it is made.
    func streaming(_ request: AdmittedRequest) -> AdmittedRequest {
        AdmittedRequest(client: request.client, places: streamPlaces, shares: request.shares)
    }

    private static func check(_ head: HTTPRequest, bodyLimit: Int) throws(Problem) {
        if head.headerFields.contains(.contentEncoding) {
            let encodings = head.headerFields[values: .contentEncoding].flatMap { $0.parts(at: ",") }
            guard encodings.allSatisfy({ $0.trimmedOfSpaces.isSame(ignoringCaseOf: "identity") }) else {
                throw Problem.contentEncoded
            }
        }
        let isTooLarge = head.headerFields[values: .contentLength]
            .contains { (Int($0) ?? Int($0.trimmedOfSpaces) ?? .max) > bodyLimit }
        if isTooLarge { throw Problem.bodyTooLarge(limit: bodyLimit) }
    }
}

/// A request that may use its route, as soon as it has a place.
struct AdmittedRequest: Sendable {
    /// Nil where clients do not authenticate or need not.
    let client: AuthenticatedClient?
    fileprivate let places: ConcurrencyLimit
    fileprivate let shares: [ConcurrencyLimit.Share]

    /// For ``RequestUnderWay``, which gives it back.
    ///
    /// - Throws: ``Problem`` 503 where there is none.
    func takePlace() throws(Problem) {
        guard places.take(shares) else { throw Problem.tooManyInFlight }
    }

    func leavePlace() { places.release(shares) }
}
