import PayrelayPrimitives

/// A parsed request: `{"method", "params": {"data": …}, "id"}`.
struct GatewayRequest {
    let method: GatewayMethod
    let data: JSONObject
    /// The request's `id` as answers repeat it: always text.
    let id: String

    /// - Throws: ``GatewayError`` if published clients send no such request to this path.
    init(_ json: JSON?, at path: GatewayPath) throws(GatewayError) {
        guard let object = json?.objectValue else { throw .malformed }
        guard let method = Self.method(of: json) else {
            throw object["method"]?.stringValue == nil ? .malformed : .unknownMethod
        }
        guard path.has(method) else { throw .unknownMethod }
        guard method != .createLinkPayment else {
            self.init(method: method, data: object, id: "")
            return
        }
        guard let params = object["params"]?.objectValue, params.names == ["data"],
            let data = params["data"]?.objectValue, object.names.allSatisfy(["method", "params", "id"].contains),
            let id = Self.id(of: json)
        else { throw .malformed }
        self.init(method: method, data: data, id: id)
    }

    private init(method: GatewayMethod, data: JSONObject, id: String) {
        self.method = method
        self.data = data
        self.id = id
    }

    /// Returns the method that a body names; `nil` if the sandbox has no such method.
    static func method(of json: JSON?) -> GatewayMethod? {
        json?["method"]?.stringValue.flatMap { name in GatewayMethod.allCases.first { $0.rawValue.isExactly(name) } }
    }

    /// Returns the request's `id`, a short text or a whole number; `nil` for anything else.
    static func id(of json: JSON?) -> String? {
        switch json?["id"] {
        case .string(let text)? where (1...64).contains(text.utf8.count): text
        case .number(let literal)? where literal.utf8.count <= 18 && literal.utf8.allSatisfy(\.isASCIIDigit): literal
        default: nil
        }
    }
}
