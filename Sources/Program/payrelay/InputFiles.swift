import ApplePayToken
import ArgumentParser
import FortAPI
import Foundation
import PayrelayPrimitives

/// Reads a token from a file; `-` is standard input. A file without one is named with its errors.
func readToken(from path: String) throws -> PaymentToken {
    let bytes = try readFile(path)
    do {
        return try PaymentToken(json: try JSON(parsing: bytes))
    } catch {
        throw failure("\(path) holds no Apple Pay token: \(error)", status: .data)
    }
}

/// Reads a whole file; `-` is standard input.
func readFile(_ path: String) throws -> [UInt8] {
    do {
        if path == "-" { return Array(try FileHandle.standardInput.readToEnd() ?? Data()) }
        return Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    } catch {
        throw failure("\(path) cannot be read: \(error.localizedDescription)", status: .data)
    }
}

/// A merchant's payment processing certificates from a file in PEM or DER.
func processingCertificates(from path: String) throws -> [ProcessingCertificate] {
    do {
        return try ProcessingCertificate.all(inFile: readFile(path))
    } catch let error as PEMError {
        throw failure("\(path) is no payment processing certificate: \(error)", status: .data)
    }
}

/// The root to trust: Apple's, or the certificate in a PEM file.
func trustAnchor(from path: String?) throws -> TrustAnchor {
    guard let path else { return .appleRootCAG3 }
    do {
        return try TrustAnchor(pem: String(decoding: readFile(path), as: UTF8.self))
    } catch let error as PEMError {
        throw failure("\(path) is no trust anchor: \(error)", status: .data)
    }
}

/// Reads a message to or from FORT from a file; `-` is standard input.
func readMessage(from file: String) throws -> JSONObject {
    guard case .object(let message)? = try? JSON(parsing: try readFile(file)) else {
        throw failure("\(file) is no JSON object", status: .data)
    }
    return message
}

/// A phrase from a file, where one is named, or else from the environment; nil where neither has one. A line break at the
/// end of the file does not count.
func readPhrase(from file: String?, orVariable variable: String) throws -> Secret? {
    if let file {
        let text = String(decoding: try readFile(file), as: UTF8.self)
        return Secret(String(text.withoutLineBreakAtEnd))
    }
    return ProcessInfo.processInfo.environment[variable].map(Secret.init)
}
