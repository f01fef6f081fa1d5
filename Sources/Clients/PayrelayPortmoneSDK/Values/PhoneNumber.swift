/// A Ukrainian mobile number: `380` and nine digits, as on Portmone's page and in the comments of Portmone's SDK.
struct PhoneNumber: Sendable, Hashable {
    let text: String

    /// - Throws: 2006 if the text is empty, 2005 if it is not such a number.
    init(_ text: String) throws(PortmoneError) {
        guard !text.isEmpty else { throw .phoneEmpty }
        let digits = text.utf8
        guard digits.count == 12, digits.starts(with: "380".utf8), digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .phoneInvalid }
        self.text = text
    }
}
