import Testing
@testable import FortAPI
