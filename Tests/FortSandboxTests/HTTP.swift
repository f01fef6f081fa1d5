import Foundation
import FoundationNetworking
import PayrelayPrimitives
import Testing

/// Methods that the room `OutboundHTTP` does not have, because nothing in production sends them.
enum HTTP {
    enum Method: String {
        case get, post, put, delete
    }

    static func send(
        _ method: Method, _ url: String, _ body: String? = nil
    ) async throws -> (status: Int, json: JSON?) {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = method.rawValue.uppercased()
        request.httpBody = body.map { Data($0.utf8) }
        let (data, response) = try await URLSession.shared.data(for: request)
        return ((response as? HTTPURLResponse)?.statusCode ?? 0, try? JSON(parsing: Array(data)))
    }
}
