import PayrelayPrimitives

/// Returns 128 random bits as hexadecimal digits: an unguessable identifier of a session, a payment or a page.
func randomName() -> String {
    var generator = SystemRandomNumberGenerator()
    return HexText(encoding: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).text
}
