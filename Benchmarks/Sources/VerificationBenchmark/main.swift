import ApplePayToken
import CVerification
import Crypto
import Foundation
import Measuring
import PaymentRelay
import PayrelayPrimitives

// The subjects take turns in short rounds and are compared within each round: other work of the machine then slows down all of
// them alike. The program prints the median over the rounds.
let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 200

let measured = try Measured()
let (token, content, signature) = (measured.token, measured.content, measured.token.signature.bytes)

let warmVerifier = TokenVerifier(anchor: measured.anchor)
guard warmVerifier.verify(token, at: .signingTime).isValid else { fatalError("the token is not valid") }

let floor = Subject(name: "floor: SHA-256 and one P-256 verification") {
    floor_verify(measured.floor, content, content.count)
}
let warm = Subject(name: "verify, chain known (warm)") { warmVerifier.verify(token, at: .signingTime).isValid }
/// Verifiers that have seen no token. They are made before the measurement, as a relay makes its verifier and as the reference
/// makes its store at the start.
var newVerifiers = (0..<(rounds + 3) * 4 + 100).map { _ in TokenVerifier(anchor: measured.anchor) }
let cold = Subject(name: "verify, chain new (cold)") {
    newVerifiers.removeLast().verify(token, at: .signingTime).isValid
}
let reference = Subject(name: "OpenSSL: d2i and CMS_verify") {
    reference_verify(measured.reference, signature, signature.count, content, content.count)
}

var point = [UInt8](repeating: 0, count: 65)
var ecdsa = [UInt8](repeating: 0, count: 80)
_ = floor_point(measured.floor, &point, point.count)
ecdsa.removeLast(ecdsa.count - floor_signature(measured.floor, &ecdsa, ecdsa.count))
let swiftKey = try P256.Signing.PublicKey(x963Representation: point)
let swiftDigest = SHA256.hash(data: Array("payrelay".utf8))

let parts = [
    Subject(name: "P-256 verification, OpenSSL, ready key") { floor_verify_signature(measured.floor) },
    Subject(name: "P-256 verification, OpenSSL, new context") { floor_verify_signature_anew(measured.floor) },
    Subject(name: "P-256 verification, swift-crypto, ready key") {
        guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: ecdsa) else { return false }
        return swiftKey.isValidSignature(signature, for: swiftDigest)
    },
    Subject(name: "SHA-256 of the content, OpenSSL") { floor_digest(measured.floor, content, content.count) },
    Subject(name: "SHA-256 of the content, swift-crypto") { SHA256.hash(data: content) != swiftDigest },
    Subject(name: "reading the token from JSON values") { (try? PaymentToken(json: measured.json)) != nil },
    Subject(name: "reading the body of a payment as JSON") { (try? JSON(parsing: measured.body)) != nil },
    Subject(name: "fingerprint of a payment of seven fields") {
        RequestFingerprint(fields: measured.fields, token: token.digest).bytes.count == 32
    },
]

stay_on_one_core()
let subjects = [floor, warm, cold, reference]
var times = [[Double]](repeating: [], count: subjects.count)
var partTimes = [[Double]](repeating: [], count: parts.count)
for round in 0..<rounds + 3 {
    let sample = subjects.map { $0.nanoseconds(repeating: $0.name == floor.name || $0.name == warm.name ? 24 : 4) }
    let partSample = parts.map { $0.nanoseconds(repeating: 24) }
    // The first rounds warm the caches.
    guard round >= 3 else { continue }
    for place in subjects.indices { times[place].append(sample[place]) }
    for place in parts.indices { partTimes[place].append(partSample[place]) }
}

func ratio(_ numerator: [Double], _ denominator: [Double]) -> Double {
    median(zip(numerator, denominator).map { $0 / $1 })
}

func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
}

func row(_ name: String, _ values: [String]) {
    print(name.padding(toLength: 46, withPad: " ", startingAt: 0) + values.map { pad($0, 15) }.joined())
}

print("\(rounds) rounds on one core; a token of \(signature.count) bytes signature, \(content.count) bytes content\n")
row("", ["median µs", "rate / floor's", "rate / CMS's"])
for (subject, time) in zip(subjects, times) {
    row(
        subject.name,
        [
            String(format: "%.1f", median(time) / 1000), String(format: "%.2f", ratio(times[0], time)),
            String(format: "%.2f", ratio(times[3], time)),
        ])
}
print()
for (subject, time) in zip(parts, partTimes) { row(subject.name, [String(format: "%.2f", median(time) / 1000)]) }

print()
row("", ["allocations", "bytes in all", "bytes at once"])
for subject in subjects {
    let count = 100
    memory_count_start()
    for _ in 0..<count { _ = subject.run() }
    let memory = memory_count_stop()
    row(
        subject.name,
        [
            "\(memory.allocations / UInt64(count))", "\(memory.bytes / UInt64(count))", "\(memory.peak_bytes)",
        ])
}
print("\npeak memory of the whole process: \(peak_resident_kibibytes() / 1024) MiB")

let wanted = (ratio(times[0], times[1]) >= 0.8, ratio(times[3], times[2]) >= 1 / 1.3)
print(
    "wanted: warm at 0.8 of the floor's rate: \(wanted.0 ? "yes" : "no"); cold at most 1.3 times CMS_verify: \(wanted.1 ? "yes" : "no")"
)
