import ApplePayToken
import ArgumentParser
import CommandLineParts
import Composition
import Foundation
import GatewayModule
import PayrelayPrimitives

struct TokenInspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Show what is in a token, without verifying it.",
        discussion: "Data and signature are shortened: what is shown cannot be charged.")

    @Argument(help: "A file with the token as JSON, in any shape that apps send.", completion: .file())
    var file: String

    @Flag(help: "Print it as JSON.")
    var json = false

    func run() throws {
        let report = InspectionReport(of: try readToken(from: file))
        if json {
            say(report.json.formatted())
        } else {
            for line in report.lines { say(line) }
        }
    }
}

/// The content of a token and its sizes, as JSON (``json``) and as text (``lines``, with the same members, one
/// per line).
struct InspectionReport {
    private let token: JSONObject
    private let sizes: [(gateway: any GatewayModule.Type, sizes: [TokenFieldSize])]

    var json: JSON {
        var json = token
        for (gateway, sizes) in sizes { json["\(gateway.name)_sizes"] = .array(sizes.map(\.json)) }
        return .object(json)
    }

    var lines: [String] {
        Self.lines(.object(token), indentation: 0)
            + sizes.flatMap { gateway, sizes in
                ["sizes against the limits that \(gateway.title) documents, in characters"]
                    + sizes.map {
                        Self.line($0.field, "\($0.length) of \($0.limit)\($0.fits ? "" : ": too long")", indentation: 2)
                    }
            }
    }

    init(of token: PaymentToken) {
        let inspection = TokenInspection(of: token)
        var json: JSONObject = [
            "version": .string(token.version.rawValue),
            "transaction_id": .string(token.header.transactionId.text),
            "public_key_hash": .string(token.header.publicKeyHash.text),
        ]
        json["application_data"] = token.header.applicationData.map { .string($0.text) }
        json["sha256"] = .string(HexText(encoding: Array(token.digest)).text)
        json["data"] = .string(token.data.cut)
        json["signature"] = .string(token.signature.cut)
        json["signature_fault"] = inspection.failure.map { .string($0) }
        json["signers"] = .array(inspection.signers.map(\.json))
        json["certificates"] = .array(inspection.certificates.map(\.json))
        json["payment_method"] = token.paymentMethod.map(\.json)
        self.token = json
        sizes = GatewayModules.all.map { ($0, $0.sizes(of: token)) }.filter { !$0.1.isEmpty }
    }

    private static func lines(_ json: JSON, indentation: Int) -> [String] {
        (json.objectValue?.members ?? []).flatMap { member in
            switch member.value {
            case .object:
                return [line(member.name, indentation: indentation)] + lines(member.value, indentation: indentation + 2)
            case .array(let elements):
                return elements.enumerated().flatMap { place, element in
                    [line("\(member.name), \(place + 1) of \(elements.count)", indentation: indentation)]
                        + lines(element, indentation: indentation + 2)
                }
            case .string(let text): return [line(member.name, text, indentation: indentation)]
            default:
                let value = String(decoding: member.value.encoded(), as: UTF8.self)
                return [line(member.name, value, indentation: indentation)]
            }
        }
    }

    private static func line(_ cells: String..., indentation: Int) -> String {
        TextTable.line(cells, widths: [24], indentation: indentation)
    }
}

extension Base64Text {
    /// The beginning of the text and its length: enough to tell two values apart, but not enough to use them.
    fileprivate var cut: String {
        "\(text.prefix(16))… (\(text.utf8.count) characters, \(bytes.count) bytes)"
    }
}

extension TokenInspection.Signer {
    fileprivate var json: JSON {
        var json: JSONObject = [:]
        json["serial_number"] = serialNumber.map { .string($0) }
        json["digest_algorithm"] = .string(digestAlgorithm)
        json["signature_algorithm"] = .string(signatureAlgorithm)
        json["signing_time"] = signingTime.map { .string($0.rfc3339) }
        return .object(json)
    }
}

extension Certificate {
    fileprivate var json: JSON {
        var json: JSONObject = [
            "subject": .string(subject), "serial_number": .string(serialNumber), "key": .string(keyKind),
            "not_before": .string(notBefore.rfc3339), "not_after": .string(notAfter.rfc3339),
        ]
        json["apple_marker"] = marker.map { .string($0) }
        return .object(json)
    }
}

extension PaymentMethod {
    fileprivate var json: JSON {
        var json: JSONObject = [:]
        json["display_name"] = displayName.map { .string($0) }
        json["network"] = network.map { .string($0) }
        json["type"] = type.map { .string($0.rawValue) }
        return .object(json)
    }
}

extension TokenFieldSize {
    fileprivate var json: JSON {
        ["field": .string(field), "length": JSON(length), "limit": JSON(limit), "fits": .bool(fits)]
    }
}
