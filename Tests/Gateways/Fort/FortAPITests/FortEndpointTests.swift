import OutboundHTTP
import Testing

@testable import FortAPI

struct FortEndpointTests {
    @Test("The two environments of APS are addresses that an endpoint takes")
    func environments() throws {
        #expect(try GatewayEndpoint(GatewayEndpoint.fortTest.url) == .fortTest)
        #expect(try GatewayEndpoint(GatewayEndpoint.fortProduction.url) == .fortProduction)
        #expect(GatewayEndpoint.fortTest != .fortProduction)
    }
}
