import Testing
@testable import FortProcessor
