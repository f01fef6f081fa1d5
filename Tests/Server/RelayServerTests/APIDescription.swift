import Testing
import Yams

/// The parts of an OpenAPI document that tests look at.
struct APIDescription {
    struct Operation {
        /// The name, such as `POST /v1/payments`.
        let name: String
        /// The schemes with their scopes, such as `bearer payments:create`. Empty if any client may call.
        let callers: Set<String>
        let statuses: Set<String>
    }

    struct DocumentedProblem: Hashable {
        let status: String
        let slug: String
    }

    struct Schema {
        let node: Node

        var properties: Set<String> { Set(node["properties"]?.mapping?.keys.compactMap(\.string) ?? []) }
        var required: Set<String> { Set(node["required"]?.sequence?.compactMap(\.string) ?? []) }
    }

    private let root: Node
    let operations: [Operation]
    let problems: Set<DocumentedProblem>

    init(of text: String) throws {
        let root = try #require(try Yams.compose(yaml: text))
        self.root = root
        var operations: [Operation] = []
        var problems: Set<DocumentedProblem> = []
        for (path, item) in try #require(root["paths"]?.mapping) {
            for (method, operation) in try #require(item.mapping) where method != "parameters" {
                let responses = try #require(operation["responses"]?.mapping)
                operations.append(
                    Operation(
                        name: "\(method.string?.uppercased() ?? "") \(path.string ?? "")",
                        callers: Self.callers(try #require(operation["security"]?.sequence)),
                        statuses: Set(responses.keys.compactMap(\.string))))
                for (status, response) in responses {
                    problems.formUnion(try Self.problems(Self.resolved(response, in: root), under: status))
                }
            }
        }
        self.operations = operations
        self.problems = problems
    }

    func schema(_ name: String) -> Schema? { root["components"]?["schemas"]?[name].map(Schema.init) }

    func resolved(_ node: Node?) -> Node? { node.flatMap { Self.resolved($0, in: root) } }

    /// Returns the node, or the node that its `$ref` points to.
    private static func resolved(_ node: Node, in root: Node) -> Node? {
        guard let reference = node["$ref"]?.string else { return node }
        return reference.split(separator: "/").dropFirst().reduce(root as Node?) { $0?[String($1)] }
    }

    private static func callers(_ security: Node.Sequence) -> Set<String> {
        Set(
            security.flatMap { scheme in
                scheme.mapping?.map { "\($0.key.string ?? "") \($0.value.sequence?.first?.string ?? "")" } ?? []
            })
    }

    private static func problems(_ response: Node?, under status: Node) throws -> [DocumentedProblem] {
        let response = try #require(response, "a response's reference leads nowhere")
        guard let parts = response["content"]?["application/problem+json"]?["schema"]?["allOf"]?.sequence else {
            return []
        }
        let own = try #require(parts.last?["properties"])
        #expect(own["status"]?["const"]?.string == status.string)
        return try #require(own["type"]).words.map {
            DocumentedProblem(status: status.string ?? "", slug: $0.replacing("urn:payrelay:problem:", with: ""))
        }
    }
}

extension Node {
    /// The values that a schema allows.
    var words: [String] { self["enum"]?.sequence?.compactMap(\.string) ?? self["const"]?.string.map { [$0] } ?? [] }
}
