/// A mobile number of Ukraine: `380` and nine digits, as Portmone's page and the SDK's own comments have it.
struct PhoneNumber: Sendable, Hashable {
    let text: String

    /// - Throws: 2005 or 2006.
    init(_ text: String) throws(PortmoneError) {
        guard !text.isEmpty else { throw .phoneEmpty }
        let digits = text.utf8
        guard digits.count == 12, digits.starts(with: "380".utf8), digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { throw .phoneInvalid }
        self.text = text
    }
}
