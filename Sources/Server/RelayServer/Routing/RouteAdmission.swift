import AccessControl
import HTTPListener
import HTTPTypes
import Logging
import PayrelayPrimitives
import UnderWay

/// Admits requests to routes by their head: the sender must be authorized, a slot must be free, and the body must
/// be readable.
struct RouteAdmission: Sendable {
    let authentication: RequestAuthentication
    private let slots: Slots<RequestSender>
    /// The slots for the gateways' messages, so that gateways and clients do not take slots from each other.
    private let gatewaySlots: Slots<RequestSender>
    /// The slots for streamed responses. A client may read a stream slowly, so streams must not take slots from
    /// payments, not even from payments of the same client.
    private let streamSlots: Slots<RequestSender>

    init(_ authentication: RequestAuthentication, _ limits: ListenerLimits) {
        self.authentication = authentication
        slots = Slots(limit: limits.requestsInFlight)
        gatewaySlots = Slots(limit: max(1, limits.requestsInFlight / 8))
        streamSlots = Slots(limit: max(1, limits.requestsInFlight / 8))
    }

    /// Admits a request by its head. The slot itself is taken when the body has arrived, so that an incomplete
    /// body holds no slot. But if no slot is free now, the request is rejected and its body is not read.
    ///
    /// - Throws: ``Problem`` 401, 403, 503 if no slot is free, 415 if the body is encoded, 413 if the body is too
    ///   long.
    func admit(
        _ request: OpenRequest, to route: Route, _ sender: Result<AuthenticatedSender, AuthenticationError>
    ) throws(Problem) -> AdmittedRequest {
        let sender = try authorize(route.access, sender, logger: request.logger)
        let isGateway = route.access == .gateway
        let slots = isGateway ? gatewaySlots : slots
        // No shares: a forged message holds its slot only until its signature has been checked.
        let shares =
            isGateway
            ? []
            : RequestSender.shares(
                of: sender?.client, at: request.clientAddress, authenticates: authentication.isRequired)
        guard slots.hasRoom(for: shares) else { throw Problem.tooManyInFlight }
        if let limit = route.bodyLimit { try Self.check(request.head, bodyLimit: limit) }
        return AdmittedRequest(sender: sender, slots: slots, shares: shares)
    }

    /// Returns the request with a slot for a streamed response.
    func streaming(_ request: AdmittedRequest) -> AdmittedRequest {
        AdmittedRequest(sender: request.sender, slots: streamSlots, shares: request.shares)
    }

    /// Checks that the sender may use a route.
    ///
    /// - Returns: the sender; `nil` if the route is open to everyone, or if clients need not authenticate.
    /// - Throws: ``Problem`` 401, 403, or 503 if the keys cannot be fetched.
    private func authorize(
        _ access: RouteAccess, _ sender: Result<AuthenticatedSender, AuthenticationError>,
        logger: @autoclosure () -> Logger
    ) throws(Problem) -> AuthenticatedSender? {
        guard access.needsSender else { return nil }
        let known: AuthenticatedSender
        do throws(AuthenticationError) {
            known = try sender.get()
        } catch {
            if !authentication.isRequired, error == .missing, !access.isForOperators { return nil }
            logger().notice("request refused", metadata: ["reason": "\(error)"])
            throw Problem(error)
        }
        try access.check(known)
        return known
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

/// A request that may use its route as soon as it has a slot.
struct AdmittedRequest: Sendable {
    /// `nil` if the route is open to everyone, or if clients need not authenticate.
    let sender: AuthenticatedSender?
    fileprivate let slots: Slots<RequestSender>
    fileprivate let shares: [Slots<RequestSender>.Share]

    /// Takes a slot for the request.
    ///
    /// - Throws: ``Problem`` 503 if no slot is free.
    func takeSlot() throws(Problem) -> Slots<RequestSender>.Slot {
        guard let slot = slots.take(shares) else { throw Problem.tooManyInFlight }
        return slot
    }
}
