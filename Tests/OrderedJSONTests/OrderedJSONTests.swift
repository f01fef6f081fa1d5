import Testing
@testable import OrderedJSON
