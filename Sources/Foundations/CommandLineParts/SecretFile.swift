import Foundation
package import PayrelayPrimitives

/// Writes a new file that only its owner can read. Fails if the file, or a link with that name, exists.
package func writeSecret(_ text: String, to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
        throw failure("\(path) cannot be written: \(String(cString: strerror(errno)))", status: .data)
    }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
}

/// Writes JSON to a secret file, formatted and with a final line feed.
package func writeSecret(_ json: JSON, to path: String) throws { try writeSecret(json.formatted() + "\n", to: path) }
