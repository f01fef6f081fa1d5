import Testing
@testable import OutboundHTTP
