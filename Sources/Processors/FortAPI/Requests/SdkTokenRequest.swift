public import PayrelayPrimitives

/// FORT's SDK_TOKEN: a token with which FORT's mobile SDK may pay once, from one device, within the hour.
///
/// For merchants whose app uses that SDK. Apple Pay tokens relayed from the server need none.
public struct SdkTokenRequest: FortRequest {
    public let parameters: JSONObject

    /// - Parameters:
    ///   - deviceID: the SDK's identifier of the device (`getUDID`): letters, digits and `-`.
    ///   - language: of the checkout and of the texts in the answer, `en` or `ar`.
    /// - Throws: ``ValidationErrors`` with every value that FORT would refuse.
    public init(deviceID: String, language: String = "en") throws(ValidationErrors) {
        parameters = try SdkTokenRequest.parameters(of: .sdkToken, ["device_id": deviceID, "language": language])
    }

    public var command: FortCommand { .sdkToken }

    public var description: String { command.rawValue }
}
