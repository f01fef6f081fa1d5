import FortAPI
import HTTPListener
import OutboundHTTP
import PaymentRelay
import PayrelayPrimitives
import RelayServer

/// `POST /v1/sdk-tokens`: returns a token of FORT's `SDK_TOKEN`, for merchants whose app pays with FORT's mobile
/// SDK. A token is valid for one hour and for one transaction. Whoever has the token can pay with it, so it is
/// sent in the response and never logged.
struct CreateSdkToken {
    let clients: FortClients
    let timeout: Duration

    func respond(to request: RelayRequest) async throws -> Answer {
        let fields = try Self.fields(of: request.json())
        guard let client = clients.choice(named: fields["account"])?.client else {
            throw Problem.invalidFields([
                ValidationError(field: "account", detail: "is not one that is configured here")
            ])
        }
        let token: FortRequest
        do throws(ValidationErrors) {
            token = try FortRequest(deviceID: fields["device_id"] ?? "", language: fields["language"] ?? "en")
        } catch {
            throw Problem.invalidFields(error.errors)
        }
        let answer: FortAnswer
        switch await client.send(token, timeout: timeout) {
        case .answered(let proven): answer = proven
        case .notSent(let reason): throw Problem.notSent(reason)
        case .unknown(let reason): throw Problem.gatewayNotBelieved(reason)
        }
        guard answer.sdkToken != nil else { throw Problem.sdkTokenRefused(answer.parameters) }
        return Answer(json: .object(answer.parameters.without("signature")))
    }

    private static func fields(of json: JSON) throws(Problem) -> [String: String] {
        var reader = try JSONFieldReader(body: json)
        let fields = reader.texts(allowing: ["device_id", "language", "account"], of: "SDK_TOKEN")
        guard reader.errors.isEmpty else { throw .invalidFields(reader.errors) }
        return fields
    }
}

extension JSONObject {
    fileprivate func without(_ name: String) -> JSONObject {
        var object = self
        object[name] = nil
        return object
    }
}
