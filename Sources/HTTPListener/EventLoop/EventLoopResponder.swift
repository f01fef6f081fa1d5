public import HTTPTypes
public import NIOCore

/// Answers requests on the event loop of their connection, without a task for each: a second way beside the listener's own
/// responder, for routes that take most of the requests.
public protocol EventLoopResponder: Sendable {
    /// Whether requests of this method and path are its own.
    func answers(_ head: HTTPRequest) -> Bool

    /// Decides by the head of one of its own. Called on the event loop; must not block.
    func receive(_ head: HTTPRequest, from peer: RequestPeer) -> HeadDecision
}

/// Where a request comes from.
public struct RequestPeer: Sendable {
    private let channel: any Channel

    init(_ channel: any Channel) {
        self.channel = channel
    }

    /// The other end's address, without a port.
    public var address: String? { channel.remoteAddress?.ipAddress }
    /// The address at which the connection arrived.
    public var localAddress: String? { channel.localAddress?.ipAddress }
}

/// What becomes of a request by its head.
public enum HeadDecision: Sendable {
    /// It is for the listener's own responder.
    case pass
    /// It is answered now, and its body is not read.
    case answer(WholeResponse)
    /// Its whole body is wanted.
    case read(any EventLoopExchange)
}

/// One request whose body is wanted.
public protocol EventLoopExchange: Sendable {
    /// The longest body, in bytes.
    var bodyLimit: Int { get }

    /// The whole body is there. Called on the event loop; must not block.
    ///
    /// - Parameters:
    ///   - executor: the event loop's, for a task that goes on with the request.
    ///   - answer: to be called once, from any thread.
    func respond(
        to body: ByteBuffer, executor: any TaskExecutor, answer: @escaping @Sendable (WholeResponse) -> Void)

    /// The body is longer than its limit.
    func bodyTooLong() -> WholeResponse

    /// The connection ended before the body did.
    func bodyIncomplete()
}

/// A response whose whole body is there.
public struct WholeResponse: Sendable {
    public var head: HTTPResponse
    public let body: [UInt8]

    /// - Parameter head: without the body's length, which is added.
    public init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
        self.head.headerFields[.contentLength] = String(body.count)
    }
}
