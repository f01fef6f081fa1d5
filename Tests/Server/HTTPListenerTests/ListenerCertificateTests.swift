import Glibc
import PayrelayPrimitives
import Testing

@testable import HTTPListener

@Suite struct ListenerCertificateTests {
    /// The file may also be in a folder that may not be searched. Root may read everything.
    @Test func aFileThatMayNotBeReadIsNotSaidToBeMissing() {
        #expect(UnreadableFile(errno: EACCES).description == "the file may not be read")
        #expect(UnreadableFile(errno: ENOENT).description == "there is no such file")
    }
}
