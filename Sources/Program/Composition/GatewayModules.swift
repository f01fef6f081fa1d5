public import ArgumentParser
import FortModule
public import GatewayModule
public import PaymentRelay
import PortmoneModule
public import Settings

/// The payment gateways that the service is built with, one per line. If none has an account, the first module
/// reports its missing settings.
public enum GatewayModules {
    public static let all: [any GatewayModule.Type] = [
        FortModule.self,
        PortmoneModule.self,
    ]

    /// The commands that the gateways add to the program.
    public static var commands: [any ParsableCommand.Type] { all.flatMap { $0.commands } }
}

extension AnswerVocabulary {
    /// The vocabulary of every gateway, whether it is configured or not.
    public static let ofAllGateways = AnswerVocabulary(GatewayModules.all.map { ($0.name, $0.answerFields) })
}

extension SettingCatalog {
    /// The settings of this service and its gateways.
    public static let relay = SettingCatalog(
        GatewayModules.all.flatMap { $0.settings } + Setting.groups,
        accounts: GatewayModules.all.map { $0.accountSettings },
        isOtherVariable: { FailPoint.isSetting($0) })
}

extension ConfigurationSources {
    /// Creates the sources of this service's settings.
    public init(environment: [String: String], file path: String? = nil) throws(ConfigurationError) {
        try self.init(.relay, environment: environment, file: path)
    }
}

extension GatewayModules {
    /// Reads the settings of every gateway.
    ///
    /// - Returns: the gateways that have an account.
    static func read(_ settings: inout SettingReader) -> [any GatewayModule] {
        var modules: [any GatewayModule] = []
        let hasAccount = all.contains { settings.hasAccount($0.accountSettings) }
        for (place, module) in all.enumerated() {
            if let read = module.init(&settings, isRequired: place == 0 && !hasAccount) { modules.append(read) }
        }
        return modules
    }
}
