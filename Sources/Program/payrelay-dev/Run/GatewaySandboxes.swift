import CommandLineParts
import Composition
import FortDevelopment
import Foundation
import OutboundHTTP
import PayrelayPrimitives
import PortmoneDevelopment
import SandboxParts
import Settings
import TokenMint

/// The gateways of `payrelay-dev sandbox`, `dev`, `demo` and `loadtest`: a line for each. The first is the one that is paid at by itself.
enum GatewaySandboxes {
    static let all: [any GatewaySandbox.Type] = [
        FortDevelopment.self,
        PortmoneDevelopment.self,
    ]

    /// How a load test pays at each.
    static let loaded: [LoadedGateway] = all.map { $0.loaded }
    static let names: [String] = loaded.map(\.name)

    /// With the accounts of a relay's file; without one, with accounts of their own.
    ///
    /// - Parameters:
    ///   - tokenLifetime: for how many seconds after it was signed a token is good.
    ///   - observe: see ``GatewaySandbox``.
    /// - Throws: a failure that names what is wrong with the file.
    static func make(
        config file: String? = nil, tokenLifetime: Double = 300,
        observe: @escaping @Sendable (GatewayExchange) -> Void = { _ in }
    ) throws -> [any GatewaySandbox] {
        do {
            // The environment may hold another relay's settings, or the sandbox's own: the file alone is meant.
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
    /// Where it takes requests, once it is served at the port.
    func address(at port: Int) -> SandboxAddress { type(of: sandbox).address(at: port) }

    func exports(at port: Int) -> String { exports(at: address(at: port)) }

    /// Sends its messages to the relay at the address from now on.
    ///
    /// - Throws: ``ValidationErrors`` where no address of the relay's can be one.
    func sendMessages(to relay: String) throws(ValidationErrors) {
        try sandbox.sendMessages(
            to: JSONObject(Self.messagePaths.map { (name: $0.key, value: .string(relay + $0.value)) }))
    }
}

/// The root of the sandbox's tokens.
enum SandboxRoot {
    /// The absolute path of its file: in this folder, beside the program in its source, or where the package has it. A program that came
    /// alone writes the file into the user's folder.
    ///
    /// - Throws: a failure that names the file, if it cannot be written.
    static func file() throws -> String {
        let file = "certs/sandbox/root-ca.pem"
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
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
