import Testing
@testable import TokenMint
