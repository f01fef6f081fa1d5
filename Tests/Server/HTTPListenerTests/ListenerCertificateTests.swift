import Glibc
import PayrelayPrimitives
import Testing

@testable import HTTPListener

@Suite struct ListenerCertificateTests {
    /// In a folder that may not be searched, too. Root may read everything.
    @Test func aFileThatMayNotBeReadIsNotSaidToBeMissing() {
        #expect(UnreadableFileText.of(errno: EACCES) == "the file may not be read")
        #expect(UnreadableFileText.of(errno: ENOENT) == "there is no such file")
    }
}
