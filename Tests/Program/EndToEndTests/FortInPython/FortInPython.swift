import FortAPI
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms

/// The FORT of `fort.py`, in a separate process. It shares no code with the relay and was written only from FORT's documents.
final class FortInPython {
    static var isInstalled: Bool { python != nil }

    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"].first(
        where: FileManager.default.isExecutableFile(atPath:))

    let account: FortAccount
    private let url: String
    private let process: TestProgram
    /// The process's standard input. The process ends with it.
    private let input = Pipe()
    private let client = OutboundClient()

    init(_ type: FortSignatureType = .standard) async throws {
        account = try FortAccount(
            accessCode: "zx0IPmPy5jp1vAz8Kpg7", merchantIdentifier: "CycHZxVj", signatureType: type,
            requestPhrase: Secret("req&{7\"$\\é"), responsePhrase: Secret("res#!'%20 ٣"))
        let output = Pipe()
        process = try TestProgram(
            [Self.python ?? "", Project.url("Tests/Program/EndToEndTests/FortInPython/fort.py").path], input: input,
            output: .pipe(output), errors: .file(.standardError))
        let settings: JSON = [
            "type": .string(type.rawValue), "access_code": .string(account.accessCode),
            "merchant_identifier": .string(account.merchantIdentifier),
            "request_phrase": .string(account.requestPhrase.exposed),
            "response_phrase": .string(account.responsePhrase.exposed),
        ]
        try input.fileHandleForWriting.write(contentsOf: Data(settings.encoded()) + Data("\n".utf8))
        // The process prints one line once it listens.
        var line = ""
        while !line.hasSuffix("\n") {
            let piece = output.fileHandleForReading.availableData
            guard !piece.isEmpty else { throw RunningProgram.LaunchError(description: "fort.py ended: \(line)") }
            line += String(decoding: piece, as: UTF8.self)
        }
        url = line.trimmingCharacters(in: .newlines)
    }

    deinit { client.shutdown() }

    /// The settings of a relay that has this account.
    var settings: [String: String] {
        [
            "PAYRELAY_FORT_ENDPOINT": url, "PAYRELAY_FORT_ACCESS_CODE": account.accessCode,
            "PAYRELAY_FORT_MERCHANT_IDENTIFIER": account.merchantIdentifier,
            "PAYRELAY_FORT_SIGNATURE_TYPE": account.signatureType.rawValue,
            "PAYRELAY_FORT_REQUEST_PHRASE": account.requestPhrase.exposed,
            "PAYRELAY_FORT_RESPONSE_PHRASE": account.responsePhrase.exposed,
        ]
    }

    /// Returns the violations in the requests that it received.
    func complaints() async throws -> [String] {
        try await get("complaints").arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// Returns the last request, or an empty object if there was none.
    func received() async throws -> JSONObject { try await get("received").objectValue ?? [:] }

    /// Sends a message directly to the process.
    func take(_ message: JSONObject) async throws {
        _ = try await post(JSON.object(message), to: url)
    }

    /// Returns the message with some parameters changed, signed again.
    func signing(_ message: JSONObject, with changes: KeyValuePairs<String, JSON?> = [:]) -> JSONObject {
        var changed = message
        for (name, value) in changes { changed[name] = value }
        let signature = FortSignature(of: changed, phrase: account.requestPhrase, type: account.signatureType)
        changed["signature"] = .string(signature.hexadecimal)
        return changed
    }

    /// Makes FORT send its last answer about an order as transaction feedback.
    ///
    /// - Returns: The status of the relay's answer.
    func sendFeedback(on reference: String, to path: String, at relay: RunningRelay, as format: String) async throws
        -> JSON?
    {
        let request: JSON = [
            "merchant_reference": .string(reference), "url": .string("http://127.0.0.1:\(relay.port)\(path)"),
            "format": .string(format),
        ]
        return try await post(request, to: url.replacing("/FortAPI/paymentApi", with: "/tell"))["status"]
    }

    private func get(_ name: String) async throws -> JSON {
        let url = url.replacing("/FortAPI/paymentApi", with: "/\(name)")
        return try JSON(
            parsing: try await client.send(
                OutboundRequest(method: .get, url: url, connectTimeout: .seconds(90), timeout: .seconds(300))
            ).get().body)
    }

    private func post(_ body: JSON, to url: String) async throws -> JSON {
        let type = [(name: "Content-Type", value: "application/json")]
        let answer = try await client.send(
            OutboundRequest(
                url: url, headers: type, body: body.encoded(), connectTimeout: .seconds(90), timeout: .seconds(300))
        ).get()
        return try JSON(parsing: answer.body)
    }
}
