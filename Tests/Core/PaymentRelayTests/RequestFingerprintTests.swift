import Crypto
import PaymentRelay
import PayrelayPrimitives
import Testing

@Suite struct RequestFingerprintTests {
    let token = SHA256.hash(data: [1])

    @Test func ignoresTheOrderOfFields() {
        let one = RequestFingerprint(fields: ["a": "1", "b": "2"], token: token)
        let two = RequestFingerprint(fields: ["b": "2", "a": "1"], token: token)
        #expect(one == two)
    }

    /// Journals store the fingerprint: SHA-256 of `amount=5:10000name=6:ééab` in UTF-8 and the token's digest.
    @Test func staysTheSameFromReleaseToRelease() {
        let fingerprint = RequestFingerprint(fields: ["name": "ééab", "amount": "10000"], token: token)
        #expect(
            HexText(encoding: fingerprint.bytes).text
                == "ef0afc4f48f52d3966177f0fd09d12c85527fb4814ecbba3f5fdbc584eb1afde")
    }

    @Test("R2: the fingerprint depends on every name, value and token") func dependsOnEveryNameValueAndToken() {
        let fingerprints = [
            RequestFingerprint(fields: ["a": "1", "b": "2"], token: token),
            RequestFingerprint(fields: ["a": "1", "b": "3"], token: token),
            RequestFingerprint(fields: ["a": "1"], token: token),
            RequestFingerprint(fields: ["a": "1b=1:2"], token: token),
            RequestFingerprint(fields: ["a": "1", "b": "2"], token: SHA256.hash(data: [2])),
        ]
        #expect(Set(fingerprints).count == fingerprints.count)
    }
}
