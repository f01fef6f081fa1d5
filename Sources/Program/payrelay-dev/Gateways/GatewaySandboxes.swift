import CommandLineParts
import Composition
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts
import Settings
import TokenMint

/// The gateways of `payrelay-dev sandbox`, `dev`, `demo` and `loadtest`, one per line. The first is the default
/// for payments.
enum GatewaySandboxes {
    static let all: [any GatewaySandbox.Type] = [
        FortDevelopment.self,
        PortmoneDevelopment.self,
    ]

    /// How a load test pays at each gateway.
    static let loaded: [LoadedGateway] = all.map { $0.loaded }
    static let names: [String] = loaded.map(\.name)

    /// Creates the sandboxes with the accounts of a relay's configuration file; without a file, with their own
    /// accounts.
    ///
    /// - Parameters:
    ///   - tokenLifetime: how long a token is accepted after it was signed, in seconds.
    ///   - observe: see ``GatewaySandbox``.
    /// - Throws: a failure with every problem of the file.
    static func make(
        config file: String? = nil, tokenLifetime: Double = 300,
        observe: @escaping @Sendable (GatewayExchange) -> Void = { _ in }
    ) throws -> [any GatewaySandbox] {
        do {
            // Only the file is read, because the environment may have the settings of another relay or of the
            // sandbox itself.
            var settings = SettingReader(try ConfigurationSources(environment: [:], file: file))
            let gateways = try all.map {
                try $0.init(knowing: &settings, tokenLifetime: tokenLifetime, observe: observe)
            }
            guard settings.errors.isEmpty else { throw ConfigurationError(errors: settings.errors) }
            if let file, gateways.allSatisfy(\.hasOwnAccount) {
                throw failure("\(file) lists no account of a gateway", status: .configuration)
            }
            return gateways
        } catch let error as ConfigurationError {
            throw failure(error.description, status: .configuration)
        }
    }
}

extension GatewaySandbox {
    /// Returns the address of the gateway's sandbox if it is served at the port.
    func address(at port: Int) -> SandboxAddress { type(of: sandbox).address(at: port) }

    func exports(at port: Int) -> String { exports(at: address(at: port)) }

    /// Sends the sandbox's messages to the relay at this address from now on.
    ///
    /// - Throws: ``ValidationErrors`` if the relay's address is invalid.
    func sendMessages(to relay: String) throws(ValidationErrors) {
        try sandbox.sendMessages(
            to: JSONObject(Self.messagePaths.map { (name: $0.key, value: .string(relay + $0.value)) }))
    }
}

/// The root certificate of the sandbox's tokens.
enum SandboxRoot {
    /// Returns the absolute path of the certificate's file: in the current folder, in the source tree of the
    /// program, or in the installed package. If the program was installed without the file, it writes the file
    /// into the user's folder.
    ///
    /// - Throws: a failure that names the file, if it cannot be written.
    static func file() throws -> String {
        let file = "certs/sandbox/root-ca.pem"
        let program = folderOfThisProgram
        let source = sequence(first: program) { $0.path == "/" ? nil : $0.deletingLastPathComponent() }.map {
            $0.appending(path: file).path
        }
        let places = [absolutePath(file)] + source + [program.path + "/../share/doc/payrelay/" + file]
        if let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }) {
            return absolutePath(found)
        }
        let folder = DevelopmentCertificates.defaultFolder
        let written = folder + "/sandbox-root-ca.pem"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try Data(SandboxPKI.published.pem(.root).utf8).write(to: URL(filePath: written), options: .atomic)
        } catch {
            throw failure("\(written) cannot be written: \(error.localizedDescription)", status: .data)
        }
        return written
    }
}
