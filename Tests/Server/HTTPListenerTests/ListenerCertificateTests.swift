import Glibc
import Testing

@testable import HTTPListener

@Suite struct ListenerCertificateTests {
    /// In a folder that may not be searched, too. Root may read everything.
    @Test func aFileThatMayNotBeReadIsNotSaidToBeMissing() {
        #expect(TLSFilesError.reason(errno: EACCES) == "the file may not be read")
        #expect(TLSFilesError.reason(errno: ENOENT) == "there is no such file")
    }
}
