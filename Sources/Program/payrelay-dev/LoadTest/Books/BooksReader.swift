import PayrelayPrimitives

/// Reads the sandbox's books one order at a time. A hundred thousand orders as one value would take a gigabyte.
struct BooksReader {
    /// The error if the books are not an array of orders.
    struct Malformed: Error {}

    /// Returns the orders in the books.
    ///
    /// - Parameters:
    ///   - books: the sandbox's response.
    ///   - reference: the member of an entry that has the merchant reference.
    static func orders(in books: [UInt8], reference: String) throws(Malformed) -> [BookedOrder] {
        guard books.first == UInt8(ascii: "["), books.last == UInt8(ascii: "]") else { throw Malformed() }
        var orders: [BookedOrder] = []
        var position = 1
        while position < books.count - 1 {
            let end = try endOfObject(in: books, from: position)
            guard let json = try? JSON(parsing: Array(books[position..<end])),
                let order = BookedOrder(json: json, reference: reference)
            else { throw Malformed() }
            orders.append(order)
            guard books[end] == UInt8(ascii: ",") || end == books.count - 1 else { throw Malformed() }
            position = end + 1
        }
        return orders
    }

    /// Returns the position after the bracket that closes the object that begins at `start`. Orders contain no
    /// other objects, and brackets in texts are ignored.
    private static func endOfObject(in bytes: [UInt8], from start: Int) throws(Malformed) -> Int {
        guard bytes[start] == UInt8(ascii: "{") else { throw Malformed() }
        var isInText = false
        var place = start + 1
        while place < bytes.count - 1 {
            switch bytes[place] {
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "\\") where isInText: place += 1
            case UInt8(ascii: "}") where !isInText: return place + 1
            default: break
            }
            place += 1
        }
        throw Malformed()
    }
}

/// The parts of an order in the sandbox's books that an audit needs.
struct BookedOrder: Sendable, Equatable {
    var reference: String
    /// Whether money was authorized or captured.
    var isCharged: Bool
    /// The number of requests to charge the order that reached the sandbox.
    var chargeRequests: Int

    init(reference: String, isCharged: Bool, chargeRequests: Int) {
        self.reference = reference
        self.isCharged = isCharged
        self.chargeRequests = chargeRequests
    }

    /// Returns `nil` if the JSON is not an order.
    ///
    /// - Parameters:
    ///   - json: an element of a sandbox's books.
    ///   - reference: the member that has the merchant reference.
    init?(json: JSON, reference: String) {
        guard let reference = json[reference]?.stringValue, case .bool(let charged)? = json["charged"],
            case .number(let text)? = json["charge_requests"], let requests = Int(text)
        else { return nil }
        self.init(reference: reference, isCharged: charged, chargeRequests: requests)
    }
}
