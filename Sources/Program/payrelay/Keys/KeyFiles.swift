import CommandLineParts
import AccessControl
import Foundation
import PayrelayPrimitives

/// Reads the key that signs JWTs from a file.
func readSigningKey(from path: String, named name: String?) throws -> JWTSigningKey {
    let text = String(decoding: try readFile(path), as: UTF8.self)
    do throws(JWTSigningKeyError) {
        return try JWTSigningKey.key(parsing: text, named: name)
    } catch {
        throw failure("\(path) \(error)", status: .data)
    }
}

/// Reads the keys that JWTs are verified with from a file, as the relay reads them.
func readVerificationKeys(from path: String) throws -> [JWTKey] {
    let text = String(decoding: try readFile(path), as: UTF8.self)
    do throws(JWTKeysError) {
        return try JWTKey.keys(parsing: text)
    } catch {
        throw failure("\(path) \(error)", status: .data)
    }
}

/// Writes a new file that only its owner can read. An existing one, or a link, is refused.
func writeSecret(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
        throw failure("\(path) cannot be written: \(String(cString: strerror(errno)))", status: .data)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
}

/// Writes JSON to a secret file, formatted and with a final line feed.
func writeSecret(_ json: JSON, to path: String) throws { try writeSecret(json.formatted() + "\n", to: path) }
