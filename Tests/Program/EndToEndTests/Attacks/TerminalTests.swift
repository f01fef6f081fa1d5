import Foundation
import OutboundHTTP
import PayrelayPrimitives
import TestPrograms
import Testing

/// Any text may have been written to a journal. On a terminal it is shown as text.
@Suite struct TerminalTests {
    @Test("S9: no command writes control characters of its data to a terminal")
    func nothingSteersTheTerminal() async throws {
        let relay = try await RunningRelay()
        let reference = Orders.reference()
        #expect(try await relay.pay(Orders.body(reference).json).status == 200)
        // The text as SQL for SQLite: a clear screen, a C1 control sequence, a title, and a change of the text's direction.
        let hostile = "char(27) || '[2J' || char(155) || '31m' || char(27) || ']0;x' || char(7) || char(8238) || 'x'"
        try await relay.runSQL("UPDATE payment SET client = \(hostile) WHERE merchant_reference = '\(reference)'")
        try await relay.runSQL("UPDATE history SET reason = \(hostile) WHERE merchant_reference = '\(reference)'")
        for command in [
            ["payments", "show", reference], ["payments", "show", reference, "--json"], ["payments", "export"],
            ["payments", "export", "--json"], ["payments", "list"], ["payments", "list", "--json"],
        ] {
            let program = try RunningProgram(
                command, environment: relay.environment, launcher: ["python3", "-c", Self.onATerminal])
            #expect(try await program.end() == 0)
            let shown = program.text.split(separator: "\n").last.map(String.init) ?? ""
            let text = String(decoding: try HexText(shown).bytes, as: UTF8.self)
            #expect(text.contains("31m"), "\(command) shows nothing of it: \(text)")
            let steering = text.unicodeScalars.filter {
                ($0.properties.generalCategory == .control && $0 != "\n" && $0 != "\r")
                    || $0.properties.generalCategory == .format
            }
            #expect(steering.isEmpty, "\(command): \(steering.map(\.value))")
        }
    }

    /// A script that runs a program on a new terminal, and prints the program's output in hex.
    private static let onATerminal = """
        import os, pty, sys
        seen = bytearray()
        def read(fd):
            seen.extend(os.read(fd, 65536))
            return b"."
        status = pty.spawn(sys.argv[1:], read)
        print()
        print(seen.hex())
        sys.exit(os.waitstatus_to_exitcode(status))
        """
}
