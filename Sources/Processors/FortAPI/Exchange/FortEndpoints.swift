public import OutboundHTTP

/// FORT's addresses.
extension GatewayEndpoint {
    /// APS's test environment.
    public static let fortTest = GatewayEndpoint(known: "https://sbpaymentservices.payfort.com/FortAPI/paymentApi")
    /// APS's production environment: real money.
    public static let fortProduction = GatewayEndpoint(known: "https://paymentservices.payfort.com/FortAPI/paymentApi")
}
