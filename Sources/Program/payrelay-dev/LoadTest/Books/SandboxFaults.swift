import Observability
import OutboundHTTP
import PayrelayPrimitives
import SandboxParts

/// The faults that the gateways of a sandbox are told to have.
struct SandboxFaults: Sendable {
    let client: OutboundClient
    /// The sandbox's address, such as `http://127.0.0.1:9090`.
    let address: String
    let gateways: [LoadedGateway]

    /// The error if the sandbox did not accept the faults.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Replaces the faults of each gateway.
    ///
    /// - Throws: ``Failure`` if the sandbox does not accept them.
    func put(_ faults: (LoadedGateway) -> JSON) async throws(Failure) {
        for gateway in gateways { try await put(faults(gateway), at: gateway) }
    }

    /// Removes the faults of each gateway.
    ///
    /// - Throws: ``Failure`` if the sandbox does not accept the change.
    func clear() async throws(Failure) {
        try await put { _ in ["faults": []] }
    }

    /// Makes each request take this long.
    ///
    /// - Throws: ``Failure`` if the sandbox does not accept the fault.
    func delay(by latency: Duration) async throws(Failure) {
        try await put { _ in
            ["faults": [["fault": "slow", "seconds": .number("\(latency.inSeconds)")]]]
        }
    }

    private func put(_ faults: JSON, at gateway: LoadedGateway) async throws(Failure) {
        let request = OutboundRequest(
            method: .put, url: address + gateway.faultsPath,
            headers: [(name: "Content-Type", value: "application/json")], body: faults.encoded())
        do {
            let answer = try await client.send(request).get()
            guard answer.status < 300 else {
                throw Failure(
                    description:
                        "the sandbox answered \(answer.status) to its faults: \(String(decoding: answer.body.prefix(200), as: UTF8.self))"
                )
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(description: "the sandbox's faults cannot be switched: \(error)")
        }
    }
}
