import Testing

@testable import HTTPListener

@Suite struct ExactPathTests {
    @Test(arguments: [
        "/v1/payments", "/v1/payments/X", "/v1/payments/X?a=//b/", "/v1/payments/a%20b", "/v1/payments/ORDER%2E1",
        "/.well-known/apple-developer-merchantid-domain-association", "/v1/payments/...", "/a;b",
    ])
    func aPathThatIsWrittenInOneWayIsRouted(path: String) {
        #expect(ExactPath.isExact(path))
    }

    @Test(arguments: [
        "//v1/payments/X", "/v1//payments", "/v1/payments/", "/v1/payments/?a=b", "/", "//", "", "*", "v1/payments",
        "/v1/./payments", "/v1/../payments", "/v1/payments/..", "/v1/%2e%2E/payments", "/v1/payments/a%2Fcapture",
        "/v1/payments/a%2fcapture", "/v1%5Cpayments", "/v1/payments/a%00",
    ])
    func anotherReadingOfAPathIsNot(path: String) {
        #expect(!ExactPath.isExact(path))
    }

    @Test func rejectsTargetsWithoutAPath() {
        #expect(!ExactPath.isExact(nil))
    }
}
