import FortModule
public import PaymentRelay
import ProcessorModule
public import Settings

/// The payment gateways that the service is built with: a line for each. Where none has an account, the first says what it lacks.
enum GatewayModules {
    static let all: [any ProcessorModule.Type] = [
        FortModule.self
    ]
}

extension AnswerVocabulary {
    /// Of every gateway, configured or not: what stays of a payment when its customer's data is erased.
    public static let ofAllGateways = AnswerVocabulary(GatewayModules.all.map { ($0.name, $0.answerFields) })
}

extension SettingCatalog {
    /// Of this service, with its gateways.
    public static let relay = SettingCatalog(
        GatewayModules.all.flatMap { $0.settings } + Setting.groups,
        accounts: GatewayModules.all.map { $0.accountSettings },
        isOtherVariable: { FailPoint.isSetting($0) })
}

extension ConfigurationSources {
    /// Of this service's settings.
    public init(environment: [String: String], file path: String? = nil) throws(ConfigurationError) {
        try self.init(.relay, environment: environment, file: path)
    }
}

extension GatewayModules {
    /// Reads the settings of every gateway.
    ///
    /// - Returns: those that have an account.
    static func read(_ settings: inout SettingReader) -> [any ProcessorModule] {
        var modules: [any ProcessorModule] = []
        for module in all.dropFirst() {
            if let read = module.init(&settings, isRequired: false) { modules.append(read) }
        }
        let isRequired = modules.isEmpty && settings.errors.isEmpty
        if let first = all.first?.init(&settings, isRequired: isRequired) { modules.insert(first, at: 0) }
        return modules
    }
}
