public import OutboundHTTP

/// All that is needed to ask Apple for sessions.
public struct SessionSettings: Sendable {
    public let merchant: SessionMerchant
    public let identity: MerchantIdentity
    public let gateway: SessionGateway
    /// The path of a PEM file with the only roots to trust; nil for the system's.
    public let caFile: String?

    public init(
        merchant: SessionMerchant, identity: MerchantIdentity, gateway: SessionGateway, caFile: String? = nil
    ) {
        self.merchant = merchant
        self.identity = identity
        self.gateway = gateway
        self.caFile = caFile
    }

    /// How to connect to the gateway: with mutual TLS.
    public var outbound: OutboundSettings {
        OutboundSettings(
            caFile: caFile, identity: .init(certificateFile: identity.certificateFile, keyFile: identity.keyFile))
    }
}
