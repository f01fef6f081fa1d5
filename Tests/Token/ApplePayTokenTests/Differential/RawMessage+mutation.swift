import Crypto
import TestPrograms

@testable import ApplePayToken

extension RawMessage {
    /// The parts that mutations may put into a message.
    struct Parts: Sendable {
        /// The leaf's key. With it, even a message that Apple would never sign has a valid signature.
        let key: P256.Signing.PrivateKey?
        /// Certificates besides the signer's own two.
        let certificates: [[UInt8]]
    }

    /// Changes up to three things, and often signs the result.
    mutating func mutate(with parts: Parts, _ random: inout SeededGenerator) throws {
        // Sometimes the message differs from a known one only in values that differ from token to token, and perhaps in one
        // more thing.
        let onlyValues = random.once(in: 3)
        if onlyValues { mutateValues(&random) }
        for _ in 0..<(onlyValues ? random.pick([0, 0, 1]) : Int.random(in: 1...3, using: &random)) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: mutateLayers(&random)
            case 1: mutateAlgorithms(&random)
            case 2: mutateCertificates(parts.certificates, &random)
            case 3...6: mutateAttributes(&random)
            default: mutateFrame(&random)
            }
        }
        if !random.once(in: 3) { attributes.sort { $0.lexicographicallyPrecedes($1) } }
        if let key = parts.key, !random.once(in: 4) { try sign(with: key) }
        if random.once(in: 6) { try mutateSignature(&random) }
    }

    /// Changes signing time and message digest in place.
    private mutating func mutateValues(_ random: inout SeededGenerator) {
        for (place, attribute) in attributes.enumerated() {
            switch attribute.dropFirst(12).first {
            case 5 where random.once(in: 2): attributes[place] = Self.attribute(5, [random.pick(Self.times)])
            case 4 where random.once(in: 4): attributes[place] = Self.attribute(4, [random.pick(Self.values)])
            default: break
            }
        }
    }

    private mutating func mutateLayers(_ random: inout SeededGenerator) {
        indefinite = Set(Layer.allCases.filter { _ in random.once(in: 2) })
    }

    private mutating func mutateAlgorithms(_ random: inout SeededGenerator) {
        let algorithm = random.pick(Self.algorithms)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: digestAlgorithm = algorithm
        case 1: signatureAlgorithm = algorithm
        case 2: digestAlgorithms = Self.element(0x31, algorithm + (random.once(in: 3) ? algorithm : []))
        default: digestAlgorithms = Self.element(0x31, [])
        }
    }

    private mutating func mutateCertificates(_ others: [[UInt8]], _ random: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: certificates.reverse()
        case 1 where certificates.count > 1: certificates.removeLast()
        case 2: certificates.append(certificates[0])
        case 3: certificates.append(random.pick(others))
        case 4: certificates[Int.random(in: 0..<certificates.count, using: &random)] = random.pick(others)
        default: certificates[Int.random(in: 0..<certificates.count, using: &random)].damage(&random)
        }
    }

    private mutating func mutateAttributes(_ random: inout SeededGenerator) {
        let place = attributes.isEmpty ? 0 : Int.random(in: 0..<attributes.count, using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0 where !attributes.isEmpty: attributes.remove(at: place)
        case 1 where !attributes.isEmpty: attributes.append(attributes[place])
        case 2: attributes.shuffle(using: &random)
        case 3 where !attributes.isEmpty: attributes[place].damage(&random)
        case 4:
            let type = random.pick([3, 4, 5, 6, 52, 15] as [UInt8])
            attributes.insert(Self.attribute(type, [random.pick(Self.values)]), at: place)
        case 5: attributes.append(Self.attribute(5, [random.pick(Self.times)]))
        case 6:
            attributes.removeAll { $0.starts(with: [0x30, 0x1C]) }
            attributes.append(Self.attribute(5, [random.pick(Self.times)]))
        case 7 where !attributes.isEmpty: attributes[place] = Self.indefinite(attributes[place], random.once(in: 2))
        default: attributes.append(Self.attribute(4, [random.pick(Self.values), random.pick(Self.values)]))
        }
    }

    private mutating func mutateFrame(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: content = Self.element(0xA0, Self.element(0x04, random.once(in: 2) ? [] : [1, 2, 3]))
        case 1: revocations = Self.element(0xA1, [])
        case 2: unsigned = Self.element(0xA1, Self.attribute(6, [[0x05, 0x00]]))
        case 3: signerCount = random.pick([0, 2])
        case 4: signerIdentifier.damage(&random)
        default: signerIdentifier = Self.indefinite(signerIdentifier, random.once(in: 2))
        }
    }

    private mutating func mutateSignature(_ random: inout SeededGenerator) throws {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try? takeTwin()
        case 1: signature.append(0)
        case 2: signature = random.pick([[], [0x30, 0x00], [0x30, 0x06, 0x02, 0x01, 0x00, 0x02, 0x01, 0x00]])
        default: signature.damage(&random)
        }
    }

    /// Returns the same element with an indefinite length, and perhaps also the last element within it.
    static func indefinite(_ element: [UInt8], _ deeply: Bool) -> [UInt8] {
        guard var children = try? elements(in: element) else { return element }
        if deeply, let last = children.popLast() { children.append(indefinite(last, false)) }
        return [element[0], 0x80] + children.joined() + [0, 0]
    }

    static func attribute(_ type: UInt8, _ values: [[UInt8]]) -> [UInt8] {
        let oid = oid([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, type])
        return element(0x30, oid + element(0x31, Array(values.joined())))
    }

    private static let algorithms: [[UInt8]] =
        (AlgorithmIdentifier.sha256 + AlgorithmIdentifier.ecdsaWithSHA256 + AlgorithmIdentifier.sha256WithRSA)
        .map { Array($0.der) }
        + [
            [0x30, 0x09, 0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A, 0x05, 0x00],  // SHA-1
            [0x30, 0x0B, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02],  // SHA-384
            [0x30, 0x0E, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x04, 0x01, 0x00],
        ]

    private static let values: [[UInt8]] = [
        oid([0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]), oid([0x80, 0x01]), [0x05, 0x00],
        [0x01, 0x01, 0x01],
        element(0x04, Array(repeating: 7, count: 32)), [0x03, 0x02, 0x03, 0xFF], [0x02, 0x02, 0x00, 0x01],
        [0x30, 0x00],
        [0x30, 0x80, 0x00, 0x00], [],
    ]

    /// Times around the dates of the certificates, and texts that are not times.
    private static let times: [[UInt8]] =
        [
            "260101000000Z", "251231235959Z", "491231235959Z", "500101000000Z", "270115080000Z", "270230080000Z",
            "2701150800Z", "270115080000+0000", "270115080060Z",
        ].map { element(0x17, Array($0.utf8)) }
        + ["20510101000000Z", "20501231235959Z", "20510101000001Z", "18000101000000Z"]
        .map { element(0x18, Array($0.utf8)) }
}

extension [UInt8] {
    /// Flips, removes, inserts or repeats bytes at one place.
    mutating func damage(_ random: inout SeededGenerator) {
        guard !isEmpty else { return append(random.pick([0, 0x30, 0xFF])) }
        let place = Int.random(in: 0..<count, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: self[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: self[place] = random.pick([0, 0x01, 0x7F, 0x80, 0x81, 0x82, 0xFF])
        case 2: self[place] &+= random.pick([1, 0xFF])
        case 3: remove(at: place)
        case 4: insert(UInt8.random(in: .min ... .max, using: &random), at: place)
        default: removeLast(Int.random(in: 0...Swift.min(8, count), using: &random))
        }
    }
}
