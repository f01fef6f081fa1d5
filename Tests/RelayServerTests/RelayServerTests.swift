import Testing
@testable import RelayServer
