package import AccessControl
import CommandLineParts

/// Reads the key for signing JWTs from a file.
package func readSigningKey(from path: String, named name: String?) throws -> JWTSigningKey {
    let text = String(decoding: try readFile(path), as: UTF8.self)
    do throws(JWTSigningKeyError) {
        return try JWTSigningKey.key(parsing: text, named: name)
    } catch {
        throw failure("\(path) \(error)", status: .data)
    }
}

/// Reads the keys for verifying JWTs from a file, in the same way as the relay.
package func readVerificationKeys(from path: String) throws -> [JWTKey] {
    let text = String(decoding: try readFile(path), as: UTF8.self)
    do throws(JWTKeysError) {
        return try JWTKey.keys(parsing: text)
    } catch {
        throw failure("\(path) \(error)", status: .data)
    }
}
