import PayrelayPrimitives
import Testing

@Suite struct LoopbackTests {
    @Test(arguments: [
        "localhost", "LocalHost", "127.0.0.1", "127.255.255.254", "::1", "[::1]", "0:0:0:0:0:0:0:1", "::ffff:127.0.0.1",
        "[::ffff:127.9.9.9]", "[::FFFF:7f00:1]",
    ])
    func takesEveryLoopbackAddressAndItsName(host: String) {
        #expect(IPAddress.isLoopback(host: host))
    }

    @Test(arguments: [
        "", "localhost.", "localhost.example.com", "example.com", "128.0.0.1", "126.255.255.255", "127.1", "2130706433",
        "0177.0.0.1", "::", "::2", "[::2]", "::ffff:128.0.0.1", "[127.0.0.1]", "[localhost]", "::1]", "[::1", "[]",
        "127.0.0.1:80", "::1%lo", "127.0.0.1\0", " 127.0.0.1",
    ])
    func refusesWhatIsOrMayBeAnotherMachine(host: String) {
        #expect(!IPAddress.isLoopback(host: host))
    }
}
