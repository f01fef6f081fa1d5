import ApplePayToken
import ArgumentParser
import CommandLineParts
import PayrelayPrimitives

/// Reads a token from a file; `-` means standard input. If the file has no token, the error names the file and
/// its problems.
func readToken(from path: String) throws -> PaymentToken {
    let bytes = try readFile(path)
    do {
        return try PaymentToken(json: try JSON(parsing: bytes))
    } catch {
        throw failure("\(path) holds no Apple Pay token: \(error)", status: .data)
    }
}

/// Reads a merchant's payment processing certificates from a file in PEM or DER.
func processingCertificates(from path: String) throws -> [ProcessingCertificate] {
    do {
        return try ProcessingCertificate.all(inFile: readFile(path))
    } catch let error as PEMError {
        throw failure("\(path) is not a payment processing certificate: \(error)", status: .data)
    }
}

/// Returns the root to trust: Apple's, or the certificate in a PEM file.
func trustAnchor(from path: String?) throws -> TrustAnchor {
    guard let path else { return .appleRootCAG3 }
    do {
        return try TrustAnchor(pem: String(decoding: readFile(path), as: UTF8.self))
    } catch let error as PEMError {
        throw failure("\(path) is not a trust anchor: \(error)", status: .data)
    }
}
