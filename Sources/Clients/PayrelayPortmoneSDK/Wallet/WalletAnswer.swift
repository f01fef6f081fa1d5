import Foundation
import PayrelayPrimitives

/// The sandbox's response, validated as untrusted input: every text has a limit, and every link stays on the
/// sandbox's host.
struct WalletAnswer {
    private let result: JSONObject

    private static let longestText = 512
    private static let mostElements = 1_000

    /// - Throws: the error in the response, or 2200 if the response is malformed.
    init(status: Int, _ body: [UInt8]) throws(PortmoneError) {
        guard status == 200, let answer = (try? JSON(parsing: body))?.objectValue else { throw .server }
        if let error = answer["error"] {
            guard case .number(let digits)? = error["code"], let code = Int(digits), (1...999_999).contains(code)
            else { throw .server }
            throw PortmoneError(code: code, detail: error["detail"].flatMap(Self.printable))
        }
        guard let result = answer["result"]?.objectValue else { throw .server }
        self.result = result
    }

    func text(_ name: String) throws(PortmoneError) -> String {
        guard let text = Self.bounded(result[name]), !text.isEmpty else { throw .server }
        return text
    }

    func verification() throws(PortmoneError) -> CodeVerification? {
        switch result["verification"] {
        case nil: return nil
        case "card"?: return .card
        case "phone"?: return .phone
        default: throw .server
        }
    }

    func cards() throws(PortmoneError) -> [MasterpassCard] {
        guard let cards = result["cards"]?.arrayValue, cards.count <= Self.mostElements else { throw .server }
        var names: Set<String> = []
        return try cards.map { card throws(PortmoneError) in
            guard let mask = Self.bounded(card["cardBin"]), let name = Self.bounded(card["name"]), Self.isMask(mask),
                !name.isEmpty, names.insert(name).inserted
            else { throw .server }
            return MasterpassCard(cardBin: mask, name: name)
        }
    }

    func payees() throws(PortmoneError) -> [Payee] {
        guard let payees = result["payees"], payees.arrayValue?.count ?? .max <= Self.mostElements,
            let read = try? JSONDecoder().decode([Payee].self, from: Data(payees.encoded())),
            read.allSatisfy(\.hasKnownTypes)
        else { throw .server }
        return read
    }

    func quote() throws(PortmoneError) -> PaymentQuote {
        guard case .number(let digits)? = result["commission"], let commission = MinorUnits(parsing: digits) else {
            throw .server
        }
        return PaymentQuote(
            payment: PaymentID(try text("payment")), payeeId: try text("payeeId"), commission: commission)
    }

    /// Returns the state of the payment in the response.
    ///
    /// - Parameter base: the sandbox's URL, with which all links begin.
    func progress(_ base: String) throws(PortmoneError) -> PaymentProgress {
        switch result["progress"] {
        case "paid"?: return .paid(try bill(base))
        case "2d"?: return .verificationBy2d
        case "3d"?:
            guard let path = Self.bounded(result["page"]), !path.isEmpty else { throw .pageEmpty }
            guard Self.isPlain(path), let page = URL(string: base + path), let end = URL(string: base + path + "/done")
            else { throw .server }
            return .verificationBy3d(VerificationPage(url: page, end: end))
        default: throw .server
        }
    }

    /// Returns the bill in the response.
    ///
    /// - Parameter base: the sandbox's URL, with which all links begin.
    func bill(_ base: String) throws(PortmoneError) -> Bill {
        guard let bill = result["bill"] else { throw .server }
        guard let identifier = Self.bounded(bill["billId"]), let receipt = Self.bounded(bill["receipt"]),
            let contract = Self.bounded(bill["contractNumber"]), Self.isPlain(receipt),
            case .number(let digits)? = bill["payDate"], let milliseconds = Int64(digits),
            // The end of the year 9999.
            (0...253_402_300_799_999).contains(milliseconds)
        else { throw .server }
        return Bill(
            billId: identifier, recieptUrl: base + receipt, contractNumber: contract,
            payDate: Date(timeIntervalSince1970: Double(milliseconds) / 1_000))
    }

    private static func bounded(_ json: JSON?) -> String? {
        guard let text = json?.stringValue, text.utf8.count <= longestText else { return nil }
        return text
    }

    /// Returns a text on one line, because apps show and log it; `nil` if the text has control characters.
    private static func printable(_ json: JSON?) -> String? {
        bounded(json).flatMap { text in
            text.unicodeScalars.allSatisfy { !$0.properties.generalCategory.isControl } ? text : nil
        }
    }

    /// Returns whether the path is a plain path of the sandbox, which cannot lead to another server if it is
    /// appended to the base URL.
    private static func isPlain(_ path: String) -> Bool {
        path.begins(with: "/masterpass/") && !path.has("..")
            && path.utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter || "/._-".utf8.contains($0) }
    }

    /// Returns whether the text is six digits, stars, and two to four digits. A full card number is not a mask.
    private static func isMask(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (12...19).contains(bytes.count) else { return false }
        return bytes.prefix(6).allSatisfy(\.isASCIIDigit) && bytes.suffix(2).allSatisfy(\.isASCIIDigit)
            && bytes.dropFirst(6).dropLast(4).allSatisfy { $0 == UInt8(ascii: "*") }
            && bytes.suffix(4).allSatisfy { $0.isASCIIDigit || $0 == UInt8(ascii: "*") }
    }
}

extension Unicode.GeneralCategory {
    fileprivate var isControl: Bool { [.control, .format, .lineSeparator, .paragraphSeparator].contains(self) }
}
