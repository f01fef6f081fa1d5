import Crypto
import PaymentRelay
import Testing

@Suite struct RequestFingerprintTests {
    let token = TokenDigest(SHA256.hash(data: [1]))

    @Test func ignoresTheOrderOfFields() {
        let one = RequestFingerprint(fields: ["a": "1", "b": "2"], token: token)
        let two = RequestFingerprint(fields: ["b": "2", "a": "1"], token: token)
        #expect(one == two)
    }

    @Test("R2: the fingerprint depends on every name, value and token") func dependsOnEveryNameValueAndToken() {
        let fingerprints = [
            RequestFingerprint(fields: ["a": "1", "b": "2"], token: token),
            RequestFingerprint(fields: ["a": "1", "b": "3"], token: token),
            RequestFingerprint(fields: ["a": "1"], token: token),
            RequestFingerprint(fields: ["a": "1b=1:2"], token: token),
            RequestFingerprint(fields: ["a": "1", "b": "2"], token: TokenDigest(SHA256.hash(data: [2]))),
        ]
        #expect(Set(fingerprints).count == fingerprints.count)
    }
}
