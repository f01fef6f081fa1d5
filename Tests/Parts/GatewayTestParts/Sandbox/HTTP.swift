import Foundation
import FoundationNetworking
package import PayrelayPrimitives

/// HTTP methods that the target `OutboundHTTP` does not have, because production code does not send them.
package enum HTTP {
    package enum Method: String {
        case get, post, put, delete
    }

    package static func send(
        _ method: Method, _ url: String, _ body: String? = nil
    ) async throws -> (status: Int, json: JSON?) {
        var request = URLRequest(url: try Self.url(url))
        request.httpMethod = method.rawValue.uppercased()
        request.httpBody = body.map { Data($0.utf8) }
        request.timeoutInterval = 300
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, try? JSON(parsing: Array(data)))
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        return url
    }
}
