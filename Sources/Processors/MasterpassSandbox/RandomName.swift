import PayrelayPrimitives

/// 128 bits of the system's randomness as hexadecimal digits: nobody guesses a session, a payment or a page.
func randomName() -> String {
    var generator = SystemRandomNumberGenerator()
    return HexText(encoding: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }).text
}
