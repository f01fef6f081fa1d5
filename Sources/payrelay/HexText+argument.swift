public import Primitives
import ApplePayToken
public import ArgumentParser

extension HexText: ExpressibleByArgument {
    /// 32 bytes: a SHA-256 is all that a command asks for in hex.
    public init?(argument: String) {
        guard let value = try? HexText(argument), value.bytes.count == 32 else { return nil }
        self = value
    }
}
