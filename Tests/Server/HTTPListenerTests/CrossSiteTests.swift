import HTTPTypes
import Testing

@testable import HTTPListener

@Suite struct CrossSiteTests {
    private func error(
        _ method: HTTPRequest.Method = .post, host: String?, _ fields: [(String, String)] = [],
        hosts: AllowedHosts = AllowedHosts(["relay.internal", "10.0.0.9", "fd00::9"]), isTLS: Bool = false,
        hasAnyHost: Bool = false, at localAddress: String? = nil
    ) throws -> CrossSiteError? {
        var request = HTTPRequest(method: method, scheme: "http", authority: host, path: "/")
        for (name, value) in fields {
            request.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        do throws(CrossSiteError) {
            try CrossSiteRule(hosts: hosts, isTLS: isTLS)
                .check(request, hasAnyHost: hasAnyHost) { localAddress }
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        "localhost", "localhost:8080", "LOCALHOST", "localhost.", "127.0.0.1:8080", "127.9.9.9", "[::1]:8080", "[::1]",
        "relay.internal:1", "Relay.Internal.", "10.0.0.9", "[fd00::9]", "[FD00:0::9]", "10.0.0.7", "10.0.0.7:8080",
        "[::ffff:10.0.0.7]",
    ])
    func ownNamesAreTaken(host: String) throws {
        #expect(try error(host: host, at: "10.0.0.7") == nil)
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "localhost.evil.example", "evil.localhost:99999", "127.0.0.1.evil.example",
        "10.0.0.8", "0.0.0.0", "[::2]", "[::1", "::1", "localhost:x", "localhost:80:80", "a b", "", "user@localhost",
        "2130706433", "localhost:99999",
        // Names with a mark that joins the character before or behind it.
        "[\u{301}::1]", "[::1]\u{301}", "[::1\u{600}]", "localhost\u{600}.", "localhost:\u{301}80", "[", "[]", ".",
    ])
    func foreignNamesAreNot(host: String) throws {
        for method in [HTTPRequest.Method.get, .post] {
            #expect(try error(method, host: host, at: "10.0.0.7") == .foreignHost)
        }
    }

    @Test func allowsAnyHostOnPublicRoutes() throws {
        #expect(try error(.get, host: "evil.example", hasAnyHost: true) == nil)
        #expect(try error(host: "evil.example", hasAnyHost: true) == nil)
        #expect(try error(host: "pay.example", hosts: .any) == nil)
        #expect(try error(host: nil) == nil)
    }

    @Test(
        "S13: a request that the browser marks as cross-site is refused",
        arguments: ["cross-site", "same-site", "", "Same-Origin", "none, cross-site", "whatever"])
    func whatABrowserMarksAsForeignIsRefused(site: String) throws {
        #expect(try error(host: "localhost", [("Sec-Fetch-Site", site)]) == .crossSite)
        #expect(
            try error(host: "localhost", [("Sec-Fetch-Site", site), ("Origin", "http://localhost")]) == .crossSite)
        #expect(
            try error(host: "localhost", [("Sec-Fetch-Site", "none"), ("Sec-Fetch-Site", site)]) == .crossSite)
        #expect(try error(.get, host: "localhost", [("Sec-Fetch-Site", site)]) == nil)
    }

    @Test(arguments: ["same-origin", "none"])
    func allowsSameOriginRequests(site: String) throws {
        #expect(try error(host: "localhost", [("Sec-Fetch-Site", site)]) == nil)
    }

    @Test(arguments: [
        ("http://localhost:8080", "localhost:8080"), ("https://pay.example", "pay.example"),
        ("https://pay.example", "pay.example:443"), ("https://pay.example:443", "pay.example"),
        ("http://pay.example", "pay.example:80"), ("https://[fd00::9]:8443", "[fd00::9]:8443"),
        ("https://Pay.Example", "pay.example"),
    ])
    func withoutThatMarkTheOriginMustBeTheHost(origin: String, host: String) throws {
        #expect(try error(host: host, [("Origin", origin)], hosts: .any) == nil)
    }

    @Test(arguments: [
        ("null", "localhost"), ("https://evil.example", "localhost"), ("http://localhost:3000", "localhost:8080"),
        ("http://localhost", "localhost:8080"), ("https://pay.example:8443", "pay.example"),
        ("https://pay.example.evil.example", "pay.example"), ("https://pay.example/", "pay.example"),
        ("pay.example", "pay.example"), ("file://", "localhost"), ("", "localhost"), ("https://", "localhost"),
        ("https://a@pay.example", "pay.example"),
    ])
    func anotherOriginIsRefused(origin: String, host: String) throws {
        for method in ["POST", "PUT", "PATCH", "DELETE", "BREW"] {
            let method = try #require(HTTPRequest.Method(method))
            #expect(try error(method, host: host, [("Origin", origin)], hosts: .any) == .crossSite)
        }
        for method in [HTTPRequest.Method.get, .head, .options] {
            #expect(try error(method, host: host, [("Origin", origin)], hosts: .any) == nil)
        }
    }

    @Test func refusesTwoOrigins() throws {
        let origins = [("Origin", "http://localhost"), ("Origin", "http://localhost")]
        #expect(try error(host: "localhost", origins) == .crossSite)
    }

    /// A page without TLS may have been changed on its way.
    @Test func refusesAPlainOriginOverTLS() throws {
        #expect(
            try error(host: "pay.example", [("Origin", "http://pay.example")], hosts: .any, isTLS: true) == .crossSite)
        #expect(try error(host: "pay.example", [("Origin", "https://pay.example")], hosts: .any, isTLS: true) == nil)
    }

    @Test func readsHostsWithoutPorts() {
        for name in ["pay.example", "10.0.0.1", "fd00::1", "[fd00::1]"] { #expect(AllowedHosts.isHost(name)) }
        for name in ["", "pay.example:8080", "https://pay.example", "a b", "[fd00::1]:80"] {
            #expect(!AllowedHosts.isHost(name))
        }
    }
}
