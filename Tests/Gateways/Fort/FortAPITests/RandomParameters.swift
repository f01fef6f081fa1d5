import PayrelayPrimitives

extension JSONObject {
    /// Returns up to forty members, some of them nested, with any Unicode in their names and values.
    static func random(depth: Int, using generator: inout some RandomNumberGenerator) -> JSONObject {
        let count = Int.random(in: 0..<(depth == 3 ? 40 : 5), using: &generator)
        return JSONObject(
            (0..<count).map { _ in
                (.random(using: &generator), JSON.random(depth: depth - 1, using: &generator))
            })
    }
}

extension JSON {
    fileprivate static func random(depth: Int, using generator: inout some RandomNumberGenerator) -> JSON {
        switch Int.random(in: 0..<(depth == 0 ? 6 : 8), using: &generator) {
        case 0: .null
        case 1: .bool(.random(using: &generator))
        case 2: JSON(Int.random(in: .min ... .max, using: &generator))
        case 3...5: .string(.random(using: &generator))
        case 6:
            .array(
                (0..<Int.random(in: 0..<4, using: &generator)).map { _ in .random(depth: depth - 1, using: &generator) }
            )
        default: .object(.random(depth: depth - 1, using: &generator))
        }
    }
}

extension String {
    /// Returns a text of long runs of plain ASCII, with control characters, quotes, marks, and scalars of every length in UTF-8
    /// between them.
    fileprivate static func random(using generator: inout some RandomNumberGenerator) -> String {
        let runs = Int.random(in: 0..<5, using: &generator)
        return (0..<runs).map { _ -> String in
            switch Int.random(in: 0..<4, using: &generator) {
            case 0, 1: String(repeating: "ab/+=1Z ", count: Int.random(in: 0..<12, using: &generator))
            case 2:
                ["\"", "\\", "\n", "\r", "\t", "\u{0}", "\u{1F}", "\u{7F}", "\u{2028}", "a\u{301}", "سارة", "😀"]
                    .randomElement(using: &generator) ?? ""
            default:
                String(
                    String.UnicodeScalarView(
                        (0..<Int.random(in: 1..<6, using: &generator)).compactMap { _ in
                            Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &generator))
                        }))
            }
        }.joined()
    }
}
