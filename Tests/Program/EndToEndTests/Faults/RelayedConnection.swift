import Foundation
import TestPrograms

/// A connection through the proxy: two sockets, and the fault between them.
final class RelayedConnection {
    private let client: Int32
    private let server: Int32
    /// The fault, or `nil` after it was injected.
    private var fault: ConnectionFault?
    private var passed: [ConnectionFault.Direction: Int] = [:]
    /// The directions whose sender has ended, or whose bytes are discarded.
    private var ended: Set<ConnectionFault.Direction> = []
    private var muted: Set<ConnectionFault.Direction> = []

    /// Takes over the client's socket. Returns `nil` if the target refuses the connection.
    init?(client: Int32, targetPort: Int, fault: ConnectionFault?) {
        self.client = client
        self.fault = fault
        server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let server = server
        // Every property is set here, so that `deinit` runs and closes the sockets.
        guard sockaddr_in.loopback(targetPort).withGenericAddress({ connect(server, $0, $1) }) == 0 else { return nil }
    }

    deinit {
        close(client)
        close(server)
    }

    /// Forwards bytes until both sides have ended, the fault ends the connection, or a minute passes without a byte.
    func run(isFaulty: () -> Bool, onFault: (ConnectionFault.Kind) -> Void) {
        while ended.count < 2 {
            let ready = waitForBytes()
            guard !ready.isEmpty else { return }
            for direction in ready {
                guard var piece = receive(direction) else { return }
                if piece.isEmpty {
                    ended.insert(direction)
                    shutdown(receiver(direction), Int32(SHUT_WR))
                    continue
                }
                let start = passed[direction, default: 0]
                passed[direction] = start + piece.count
                if let fault, isFaulty(), fault.direction == direction, fault.offset < start + piece.count {
                    self.fault = nil
                    onFault(fault.kind)
                    guard strike(fault, &piece, at: fault.offset - start) else { return }
                }
                guard muted.contains(direction) || send(piece, direction) else { return }
            }
        }
    }

    /// Injects the fault. Returns `false` if it ended the connection.
    private func strike(_ fault: ConnectionFault, _ piece: inout [UInt8], at offset: Int) -> Bool {
        let offset = max(0, offset)
        switch fault.kind {
        case .garble: piece[offset] ^= fault.mask
        case .delay: usleep(UInt32(fault.pause) * 1_000)
        case .halfClose:
            _ = send(Array(piece.prefix(offset)), fault.direction)
            shutdown(receiver(fault.direction), Int32(SHUT_WR))
            muted.insert(fault.direction)
        case .truncate:
            _ = send(Array(piece.prefix(offset)), fault.direction)
            return false
        case .reset:
            _ = send(Array(piece.prefix(offset)), fault.direction)
            for socket in [client, server] {
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            }
            return false
        }
        return true
    }
}

// MARK: The sockets

extension RelayedConnection {
    private func sender(_ direction: ConnectionFault.Direction) -> Int32 { direction == .toFort ? client : server }
    private func receiver(_ direction: ConnectionFault.Direction) -> Int32 { direction == .toFort ? server : client }

    /// Returns the directions that have bytes to read or have ended. Returns none after a minute.
    private func waitForBytes() -> [ConnectionFault.Direction] {
        let open = ConnectionFault.Direction.allCases.filter { !ended.contains($0) }
        var polled = open.map { pollfd(fd: sender($0), events: Int16(POLLIN), revents: 0) }
        guard poll(&polled, nfds_t(polled.count), 60_000) > 0 else { return [] }
        return zip(open, polled).filter { $1.revents != 0 }.map(\.0)
    }

    /// Returns the received bytes: empty at the end, `nil` if the connection broke.
    private func receive(_ direction: ConnectionFault.Direction) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 16_384)
        let count = recv(sender(direction), &piece, piece.count, 0)
        return count < 0 ? nil : Array(piece.prefix(count))
    }

    /// Returns `false` if the connection broke.
    private func send(_ bytes: [UInt8], _ direction: ConnectionFault.Direction) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(receiver(direction), $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
