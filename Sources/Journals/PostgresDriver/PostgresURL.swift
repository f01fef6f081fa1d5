import CPostgres

/// The address of the journal, as libpq reads it:
/// `postgres://user:password@host:port/database?sslmode=verify-full`.
struct PostgresURL: Sendable {
    private let text: String
    /// For each host of the URL, the parameters that select only this host. If libpq has to find the host, there is
    /// one empty list.
    private let hosts: [[Parameter]]
    let order: HostOrder

    typealias Parameter = (name: String, value: String)

    init(_ text: String) throws(PostgresError) {
        guard let options = PQconninfoParse(text, nil) else { throw .unreadableURL }
        defer { PQconninfoFree(options) }
        self.text = text
        hosts = Self.hosts(of: options)
        order = HostOrder(count: hosts.count)
    }

    /// The parameters of each attempt to connect, in the order of the attempts.
    ///
    /// libpq could attempt all hosts of a URL itself. But if a host does not answer, libpq waits for it as long as
    /// its caller waits for all hosts.
    var attempts: [(host: Int, parameters: [Parameter])] {
        order.hosts.map { ($0, parameters + hosts[$0]) }
    }

    /// The common parameters. A later one overrides an earlier one. Only a host that can be written to is accepted.
    private var parameters: [Parameter] {
        [
            ("target_session_attrs", "read-write"),
            ("fallback_application_name", "payrelay"),
            ("dbname", text),
            ("client_encoding", "UTF8"),
        ]
    }

    /// - Parameter options: libpq's array, which ends with an option without a name.
    private static func hosts(of options: UnsafePointer<PQconninfoOption>) -> [[Parameter]] {
        func list(_ name: String) -> [String] {
            var option = options
            while let keyword = option.pointee.keyword {
                if String(cString: keyword) == name {
                    let value = option.pointee.val.map { String(cString: $0) } ?? ""
                    guard !value.isEmpty else { return [] }
                    return value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map {
                        String(decoding: $0, as: UTF8.self)
                    }
                }
                option += 1
            }
            return []
        }
        let names = list("host")
        let addresses = list("hostaddr")
        var ports = list("port").map { $0.isEmpty ? "5432" : $0 }
        let count = max(names.count, addresses.count)
        if ports.count == 1 { ports = Array(repeating: ports[0], count: count) }
        // Leave errors in the lists to libpq, which reports them best. An empty name would not override the list.
        let lists = [("host", names), ("hostaddr", addresses), ("port", ports)].filter { !$0.1.isEmpty }
        guard count > 1, lists.allSatisfy({ $0.1.count == count && $0.1.allSatisfy { !$0.isEmpty } }) else {
            return [[]]
        }
        return (0..<count).map { host in lists.map { (name: $0.0, value: $0.1[host]) } }
    }
}
