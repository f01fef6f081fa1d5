import Foundation
import TestPrograms

// A server in a separate process that answers at almost no cost. A load generator that loads this server shows the generator's
// own floor.
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9_090
let responder = try BareResponder(port: port)
print("answers each payment as captured at \(responder.address)")
while true { sleep(3_600) }
