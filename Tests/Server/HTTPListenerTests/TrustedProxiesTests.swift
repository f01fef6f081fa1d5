import HTTPTypes
import PayrelayPrimitives
import Testing

@testable import HTTPListener

@Suite struct TrustedProxiesTests {
    private func clientAddress(
        _ trusted: String, peer: String, _ forwardedFor: [String] = [], forwarded: [String] = []
    ) throws -> String {
        try #require(TrustedProxies(trusted)).clientAddress(
            peer: peer, forwardedFor: forwardedFor, forwarded: forwarded)
    }

    @Test func takesAnUntrustedPeerForTheClient() throws {
        #expect(
            TrustedProxies().clientAddress(peer: "10.0.0.1", forwardedFor: ["192.0.2.9"], forwarded: []) == "10.0.0.1")
        #expect(try clientAddress("10.0.0.0/8", peer: "198.51.100.7", ["192.0.2.9"]) == "198.51.100.7")
        #expect(try clientAddress("10.0.0.0/8", peer: "11.0.0.1", forwarded: ["for=192.0.2.9"]) == "11.0.0.1")
    }

    @Test func anIPv4AddressInsideIPv6IsTheIPv4Address() throws {
        #expect(TrustedProxies().clientAddress(peer: "::ffff:192.0.2.9", of: [:]) == "192.0.2.9")
        #expect(try clientAddress("10.0.0.0/8", peer: "::ffff:192.0.2.9") == "192.0.2.9")
        #expect(TrustedProxies().clientAddress(peer: "2001:db8::1", of: [:]) == "2001:db8::1")
    }

    @Test func takesTheRightmostUntrustedAddress() throws {
        #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1", ["192.0.2.9"]) == "192.0.2.9")
        #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1", ["192.0.2.9, 10.2.3.4"]) == "192.0.2.9")
        #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1", ["192.0.2.9", "10.2.3.4"]) == "192.0.2.9")
        #expect(try clientAddress("10.0.0.0/8", peer: "::ffff:10.0.0.1", ["192.0.2.9"]) == "192.0.2.9")
        #expect(try clientAddress("10.0.0.0/8,fd00::/8", peer: "fd00::1", ["2001:DB8:0::1 ,10.1.1.1"]) == "2001:db8::1")
        #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1", ["10.9.9.9"]) == "10.9.9.9")
        #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1") == "10.0.0.1")
    }

    /// The client sends the header itself, and the proxy appends the true address.
    @Test func ignoresWhatTheClientWrote() throws {
        for spoofed in ["1.1.1.1", "10.0.0.7", "10.0.0.7, 1.1.1.1", "unknown", "", ",,", "127.0.0.1"] {
            #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1", ["\(spoofed), 192.0.2.9"]) == "192.0.2.9")
            #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1", [spoofed, "192.0.2.9"]) == "192.0.2.9")
            let element = "for=\"\(spoofed)\", for=192.0.2.9;proto=https"
            #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1", forwarded: [element]) == "192.0.2.9")
        }
    }

    @Test func ignoresHeadersThatDisagree() throws {
        #expect(
            try clientAddress("10.0.0.0/8", peer: "10.0.0.1", ["192.0.2.9"], forwarded: ["for=1.1.1.1"]) == "10.0.0.1")
        #expect(
            try clientAddress("10.0.0.0/8", peer: "10.0.0.1", ["192.0.2.9"], forwarded: ["for=192.0.2.9"])
                == "192.0.2.9")
    }

    @Test func stopsAtAnUnreadableHop() throws {
        for hop in [
            "unknown", "_hidden", "192.0.2", "192.0.2.9.9", "example.com", "", "192.0.2.9/8", "[::1", "1 1.1.1.1",
        ] {
            #expect(try clientAddress("10.0.0.0/8", peer: "10.0.0.1", ["192.0.2.9, \(hop), 10.3.3.3"]) == "10.3.3.3")
        }
        #expect(
            try clientAddress("10.0.0.0/8", peer: "10.0.0.1", forwarded: ["for=1.1.1.1;for=192.0.2.9"]) == "10.0.0.1")
    }

    /// The examples of RFC 7239, section 4, and the ports that some proxies add.
    @Test func readsAddressesAsProxiesWriteThem() throws {
        for (element, address) in [
            (#"For="[2001:db8:cafe::17]:4711""#, "2001:db8:cafe::17"),
            ("for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"),
            (#"for="192.0.2.43:47011""#, "192.0.2.43"), ("for=192.0.2.43, for=198.51.100.17", "198.51.100.17"),
        ] {
            #expect(try clientAddress("10.0.0.1", peer: "10.0.0.1", forwarded: [element]) == address)
        }
        #expect(try clientAddress("10.0.0.1", peer: "10.0.0.1", ["192.0.2.9:1234"]) == "192.0.2.9")
        #expect(try clientAddress("10.0.0.1", peer: "10.0.0.1", ["[2001:db8::9]:1234"]) == "2001:db8::9")
    }

    @Test func matchesBlocksByTheirPrefix() throws {
        for (block, inside, outside) in [
            ("10.0.0.0/8", "10.255.255.255", "11.0.0.0"), ("192.0.2.128/25", "192.0.2.128", "192.0.2.127"),
            ("192.0.2.1", "192.0.2.1", "192.0.2.0"), ("0.0.0.0/0", "255.255.255.255", "::1"),
            ("2001:db8::/33", "2001:db8:7fff::", "2001:db8:8000::"), ("::/0", "2001:db8::", "192.0.2.1"),
            ("::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"),
        ] {
            let parsed = try #require(AddressBlock(block))
            #expect(parsed.contains(try #require(IPAddress(inside))))
            #expect(!parsed.contains(try #require(IPAddress(outside))))
        }
        for text in [
            "", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/8/8", "10/8", "2001:db8::/129", "a",
        ] {
            #expect(AddressBlock(text) == nil)
        }
        #expect(TrustedProxies("10.0.0.0/8,") == nil)
    }
}
