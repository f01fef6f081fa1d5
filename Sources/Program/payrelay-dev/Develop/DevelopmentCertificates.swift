import CommandLineParts
import Foundation
import HTTPListener
import TokenMint

/// The folder of `payrelay-dev --host`. It has the certificate authority that phones trust, which is created
/// once, and the listener's certificate, which is created at each start. Only its owner can read the keys.
struct DevelopmentCertificates {
    let authority: DevelopmentAuthority
    /// The certificate and key of the listener.
    let tls: TLSFiles
    /// The path of the authority's certificate.
    let authorityFile: String

    /// The default folder.
    static var defaultFolder: String {
        (ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()) + "/.payrelay-dev"
    }

    /// Creates the folder and the authority if they are missing.
    ///
    /// - Parameter host: a host name or an address.
    init(folder: String, host: String) throws {
        let folder = URL(filePath: folder)
        func path(_ name: String) -> String { folder.appending(path: name).path }
        let (file, keyFile) = (path("ca.pem"), path("ca.key"))
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw failure("\(folder.path) cannot be made: \(error.localizedDescription)", status: .data)
        }
        let files = FileManager.default
        if files.fileExists(atPath: file) || files.fileExists(atPath: keyFile) {
            authority = try Self.read(file, keyFile)
        } else {
            authority = try DevelopmentAuthority(for: host, at: Date())
            try writeSecret(authority.keyPEM, to: keyFile)
            try writeSecret(authority.pem, to: file)
        }
        do {
            let issued = try authority.issue(for: host, at: Date())
            tls = TLSFiles(certificateFile: path("listener.pem"), keyFile: path("listener.key"))
            try Self.replace(tls.keyFile, with: issued.keyPEM)
            try Self.replace(tls.certificateFile, with: issued.certificatePEM)
        } catch DevelopmentAuthorityError.notPermitted {
            throw failure(
                "\(file) is for other hosts than \(host): name another folder with --certificates", status: .data)
        }
        authorityFile = file
    }

    private static func read(_ file: String, _ keyFile: String) throws -> DevelopmentAuthority {
        let permissions = try? FileManager.default.attributesOfItem(atPath: keyFile)[.posixPermissions] as? Int
        if let permissions, permissions & 0o077 != 0 {
            throw failure(
                "\(keyFile) is open to more than its owner: make a new authority, or chmod 600 it", status: .data)
        }
        let (pem, keyPEM) = (try readFile(file), try readFile(keyFile))
        do throws(DevelopmentAuthorityError) {
            return try DevelopmentAuthority(
                pem: String(decoding: pem, as: UTF8.self), keyPEM: String(decoding: keyPEM, as: UTF8.self), at: Date())
        } catch {
            throw failure("\(file) with \(keyFile) cannot be used: \(error)", status: .data)
        }
    }

    /// Replaces a file. The new file is written completely before it replaces the old one.
    private static func replace(_ path: String, with text: String) throws {
        let new = path + ".\(UUID().uuidString)"
        try writeSecret(text, to: new)
        guard rename(new, path) == 0 else {
            unlink(new)
            throw failure("\(path) cannot be written: \(String(cString: strerror(errno)))", status: .data)
        }
    }
}
