import Foundation
import TestPrograms

// Something to load that costs next to nothing, in a process of its own: what a load generator shows against it is the
// generator's own floor.
let port = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 9_090
let responder = try BareResponder(port: port)
print("answers each payment as captured at \(responder.address)")
while true { sleep(3_600) }
