import HTTPListener
import Settings

extension RelayConfiguration {
    /// Raises the limit of open files to what the connections and requests at once need.
    ///
    /// - Throws: ``ConfigurationError`` if the system allows fewer.
    func allowOpenFiles() throws(ConfigurationError) {
        let connections = limits.connections + limits.connectionsInTransit
        do throws(OpenFilesError) {
            try OpenFiles.allow(connections + outboundRequestsAtOnce + 256)
        } catch {
            throw ConfigurationError(errors: [
                SettingError(
                    name: Setting.httpConnectionsMax.name, source: nil, problem: "is too high: \(error)",
                    advice: "Raise the hard limit of open files, or lower it or the limits of requests to gateways.")
            ])
        }
    }

    /// The maximum number of requests at once over the client that the gateways share. Some use no slot of a
    /// gateway: probes, queries caused by unsolicited messages, and fetches of keys.
    var outboundRequestsAtOnce: Int { modules.map(\.requestsInFlight).reduce(0, +) + 256 }
}
