public import Logging

extension JSONLogHandler {
    /// Makes this the log of the whole process; once only.
    ///
    /// - Returns: the service's own logger.
    public static func bootstrap(level: Logger.Level) -> Logger {
        LoggingSystem.bootstrap { JSONLogHandler(label: $0, level: level) }
        return Logger(label: "payrelay")
    }
}
