import Testing
@testable import FortSandbox
